"""The page in a browser: it opens without errors."""

import shutil

import pytest

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)


@pytest.mark.skipif(BROWSER is None, reason="no chromium found to open the page with")
def test_chromium_opens_the_page_without_errors_in_its_console(live_page, tmp_path, run_process):
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--enable-logging=stderr",
        "--v=0",
        "--virtual-time-budget=3000",
    ]
    picture = tmp_path / "page.png"
    command = [BROWSER, *options, f"--user-data-dir={tmp_path}", f"--screenshot={picture}", live_page.as_uri()]
    result = run_process(command)
    console = [line for line in result.stderr.splitlines() if "CONSOLE" in line]
    assert console == []
    assert picture.stat().st_size > 10_000
