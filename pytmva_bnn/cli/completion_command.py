"""``pytmva-bnn completion``: scripts for bash, zsh and fish, made from the parser."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from pytmva_bnn.cli.commands import COMMANDS
from pytmva_bnn.cli.console import PROGRAM, say
from pytmva_bnn.cli.parser import build_parser

_BASH = """\
# bash completion of {program}:  source <({program} completion bash)
_pytmva_bnn() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" command="" word
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case "$word" in -*) ;; *) command="$word"; break ;; esac
    done
    local words=""
    case "$command" in
{cases}
        *) words="{commands} {options}" ;;
    esac
    COMPREPLY=()
    if [[ -z "$command" || "$current" == -* || "$command" == completion ]]; then
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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("shell", choices=["bash", "zsh", "fish"], help="the shell")


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    say(completion(arguments.shell).rstrip("\n"))
    return 0


def completion(shell: str) -> str:
    """Return the script for a shell.

    >>> "complete -c pytmva-bnn" in completion("fish")
    True
    """
    if shell == "fish":
        return _fish()
    options = {name: " ".join(actions) for name, actions in _options_of_commands().items()}
    words = {name: f"{text} bash zsh fish" if name == "completion" else text for name, text in options.items()}
    cases = "\n".join(f'        {name}) words="{text}" ;;' for name, text in words.items())
    top = " ".join(_options(build_parser([])))
    bash = _BASH.format(program=PROGRAM, cases=cases, commands=" ".join(COMMANDS), options=top)
    return bash if shell == "bash" else _ZSH.format(program=PROGRAM) + bash


def _fish() -> str:
    lines = [f"# fish completion of {PROGRAM}"]
    first = "__fish_use_subcommand"
    lines += [f"complete -c {PROGRAM} -n {first} -f -a {c.name} -d {_quoted(c.purpose)}" for c in COMMANDS.values()]
    for name, options in _options_of_commands().items():
        condition = _quoted(f"__fish_seen_subcommand_from {name}")
        for option, purpose in options.items():
            flag = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
            lines.append(f"complete -c {PROGRAM} -n {condition} {flag} -d {_quoted(purpose)}")
    lines.append(f"complete -c {PROGRAM} -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'")
    return "\n".join(lines) + "\n"


def _options_of_commands() -> dict[str, Mapping[str, str]]:
    parser = build_parser()
    commands = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return {name: _options(one) for name, one in commands.choices.items()}


def _options(parser: argparse.ArgumentParser) -> dict[str, str]:
    return {option: action.help or "" for action in parser._actions for option in action.option_strings}


def _quoted(text: str) -> str:
    """Return a text for fish.

    >>> print(_quoted("TMVA's"))
    'TMVA\\'s'
    """
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
