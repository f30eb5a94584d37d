"""``pytmva-bnn completion``: scripts for bash, zsh and fish, made from the parser."""

from __future__ import annotations

import argparse

from pytmva_bnn.cli.console import PROGRAM
from pytmva_bnn.cli.parser import COMMANDS, SHELLS, build_parser, commands_of, options_of
from pytmva_bnn.port.cli import parser as port_parser

_BASH = """\
# bash completion of {program}:  source <({program} completion bash)
_pytmva_bnn() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" command="" word
    # --option=value comes in three words
    if [[ "$current" == "=" ]]; then current=""
    elif [[ "$previous" == "=" ]]; then previous="${{COMP_WORDS[COMP_CWORD-2]}}"; fi
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case "$word" in -*) ;; *) command="$word"; break ;; esac
    done
    local words="" values=""
    case "$command" in
{cases}
        *) words="{commands} {options}" ;;
    esac
    case "$command $previous" in
{values}
    esac
    COMPREPLY=()
    if [[ -n "$values" ]]; then
        COMPREPLY=($(compgen -W "$values" -- "$current"))
    elif [[ -z "$command" || "$current" == -* || "$command" == completion ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$current"))
    fi
}}
complete -o default -o bashdefault -F _pytmva_bnn {program}
"""

_ZSH = """\
#compdef {program}
# zsh completion of {program}:  source <({program} completion zsh)
autoload -U +X bashcompinit && bashcompinit
"""


def completion(shell: str) -> str:
    """Return the script for a shell."""
    if shell == "fish":
        return _fish()
    options = _options_of_commands()
    words = {name: " ".join(actions) for name, actions in options.items()}
    words["completion"] += f" {' '.join(SHELLS)}"
    cases = "\n".join(f'        {name}) words="{text}" ;;' for name, text in words.items())
    values = "\n".join(
        f'        "{name} {option}") values="{_values(action)}" ;;'
        for name, actions in options.items()
        for option, action in actions.items()
        if action.choices
    )
    top = " ".join(options_of(build_parser()))
    bash = _BASH.format(program=PROGRAM, cases=cases, values=values, commands=" ".join(COMMANDS), options=top)
    return bash if shell == "bash" else _ZSH.format(program=PROGRAM) + bash


def _fish() -> str:
    lines = [f"# fish completion of {PROGRAM}"]
    first = "__fish_use_subcommand"
    lines += [f"complete -c {PROGRAM} -n {first} -f -a {c.name} -d {_quoted(c.purpose)}" for c in COMMANDS.values()]
    for name, options in _options_of_commands().items():
        condition = _quoted(f"__fish_seen_subcommand_from {name}")
        for option, action in options.items():
            flag = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
            values = f" -x -a {_quoted(_values(action))}" if action.choices else ""
            lines.append(f"complete -c {PROGRAM} -n {condition} {flag}{values} -d {_quoted(action.help or '')}")
    lines.append(f"complete -c {PROGRAM} -n '__fish_seen_subcommand_from completion' -f -a {_quoted(' '.join(SHELLS))}")
    return "\n".join(lines) + "\n"


def _options_of_commands() -> dict[str, dict[str, argparse.Action]]:
    options = {name: options_of(parser) for name, parser in commands_of(build_parser()).items()}
    return options | {"port": options_of(port_parser())}  # it parses its arguments itself


def _values(action: argparse.Action) -> str:
    return " ".join(str(choice) for choice in action.choices or ())


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
