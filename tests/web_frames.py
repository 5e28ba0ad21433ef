"""What every frame of a page shows: cards that fly or lie, moves, and whatever jumps."""

from playwright.sync_api import Page

WATCH = """() => {
  const watched = window.watched = { frames: 0, flights: 0, wrong: [], shifts: [], steps: [] };
  const named = ({ node, previousRect, currentRect }) => [
    node?.nodeName, node?.className ?? node?.parentElement?.outerHTML, previousRect, currentRect,
  ].map((each) => JSON.stringify(each)).join(' ');
  new PerformanceObserver((list) => list.getEntries().forEach(({ value, sources }) =>
    watched.shifts.push([value, ...sources.map(named)]))).observe({ type: 'layout-shift' });
  const shown = () => {
    const cards = [...document.querySelectorAll('[data-lies]:not([data-flying])')]
      .filter((each) => each.getBoundingClientRect().width).map((each) => each.dataset.lies);
    const flying = [...document.querySelectorAll('.flyer')].map((each) => each.dataset.flies);
    watched.flights += flying.length;
    return [...cards, ...flying];
  };
  let last = null;
  const look = () => {
    const table = document.querySelector('game-table');
    if (table) {
      const { state } = table, cards = shown();
      const hand = state.areas.filter(({ kind }) => kind === 'hand')
        .flatMap(({ parts }) => parts).flatMap((part) => part.cards);
      const wrong = hand.filter((card) => cards.filter((each) => each === card).length !== 1);
      if (wrong.length) watched.wrong.push([state.deal, state.ply, ...wrong]);
      if (last && last.deal === state.deal && last.ply !== state.ply)
        watched.steps.push(state.ply - last.ply);
      last = state;
      watched.frames += 1;
    }
    requestAnimationFrame(look);
  };
  look();
}"""
"""Looks at each frame: is every card of one's hand there, once?"""


def check_frames(page: Page, moves: bool = True) -> None:
    """No card absent or double, no two moves at once, nothing that jumped."""
    watched = page.evaluate("window.watched")
    assert watched["frames"] > 0
    assert watched["wrong"] == []
    assert watched["shifts"] == []
    assert set(watched["steps"]) <= {1}
    assert (watched["flights"] > 0) == moves
