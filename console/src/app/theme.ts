import { createStore, useStore } from '../api/store.ts'

/** How the page looks; `auto`: as the system does. */
export type Theme = 'auto' | 'light' | 'dark'

const key = 'dragoman-theme'
const theme = createStore<Theme>(stored())

/** The chosen theme. */
export function useTheme(): Theme {
  return useStore(theme)
}

/** Chooses a theme, and keeps the choice in the browser. */
export function setTheme(next: Theme): void {
  theme.set(next)
  show(next)
  try {
    if (next === 'auto') localStorage.removeItem(key)
    else localStorage.setItem(key, next)
  } catch {
    // A browser without storage forgets it with the page.
  }
}

/** Shows the kept theme, before anything is drawn. */
export function showTheme(): void {
  show(theme.get())
}

function show(next: Theme): void {
  if (next === 'auto') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = next
}

function stored(): Theme {
  try {
    const value = localStorage.getItem(key)
    return value === 'light' || value === 'dark' ? value : 'auto'
  } catch {
    return 'auto'
  }
}
