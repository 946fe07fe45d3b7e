'use strict';
(() => {
  const form = document.getElementById('filter');
  const text = document.getElementById('text');
  const only = document.getElementById('only');
  const kinds = [...form.querySelectorAll('input[value]')].filter((box) => box.type === 'checkbox' && box !== only);
  const entries = [...document.querySelectorAll('.entries > li')];
  const words = entries.map((entry) => entry.textContent.toLowerCase());
  const count = document.getElementById('count');
  const filter = () => {
    const wanted = text.value.trim().toLowerCase();
    const shown = new Set(kinds.filter((box) => box.checked).map((box) => box.value));
    let left = 0;
    entries.forEach((entry, i) => {
      const fits = shown.has(entry.dataset.kind) && (!only.checked || entry.classList.contains('violated')) &&
        (wanted === '' || words[i].includes(wanted));
      entry.hidden = !fits;
      if (fits) left += 1;
    });
    count.textContent = left === entries.length ? '' : `${left} of ${entries.length} shown`;
  };
  let timer = 0;
  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('change', filter);
  text.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(filter, 120); });
  // n, p: next, previous; v: next violation; d: next denied; /: search
  const step = (forward, fits) => {
    const here = document.activeElement ? document.activeElement.closest('.entries > li') : null;
    const order = forward ? entries : [...entries].reverse();
    const from = here ? order.indexOf(here) + 1 : 0;
    const next = order.slice(from).find((entry) => !entry.hidden && entry.classList.contains('call') && fits(entry));
    if (next) { next.querySelector('summary').focus(); next.scrollIntoView({block: 'center'}); }
  };
  const keys = {
    n: () => step(true, () => true),
    p: () => step(false, () => true),
    v: () => step(true, (entry) => entry.classList.contains('violated')),
    d: () => step(true, (entry) => entry.classList.contains('deny')),
    '/': () => text.focus(),
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input')) return;
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });
  const open = () => {
    const target = document.getElementById(location.hash.slice(1));
    const details = target && target.querySelector('details');
    if (details) details.open = true;
  };
  window.addEventListener('hashchange', open);
  open();
})();
