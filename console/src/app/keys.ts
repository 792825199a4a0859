import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

import { createStore, useStore } from '../api/store.ts'
import { navigation } from './navigation.ts'

/** The dialog that is open over the page. */
export const overlay = createStore<'none' | 'palette' | 'keys'>('none')

const key = 'dragoman-keys'
const isOn = createStore(stored())

/** Whether keys without Ctrl do something. */
export function useAreKeysOn(): boolean {
  return useStore(isOn)
}

/** Switches the keys on or off, and keeps the choice in the browser. */
export function setKeysOn(on: boolean): void {
  isOn.set(on)
  try {
    if (on) localStorage.removeItem(key)
    else localStorage.setItem(key, 'off')
  } catch {
    // A browser without storage forgets it with the page.
  }
}

/** The keys, for the list of them. */
export const keyList: readonly (readonly [keys: string, effect: string])[] = [
  ['Ctrl K', 'go to a page, an account, a key, a model or an id'],
  ['/', 'search in the list'],
  ['j k', 'the next and the previous of a list'],
  ['Enter', 'open it'],
  ['Esc', 'close what is open'],
  ['?', 'this list'],
]

/** After `g`, another key counts for so long, in milliseconds. */
const secondKeyMs = 1_500

/** Makes the keys of the console work. */
export function useKeys(): void {
  const router = useRouter()
  useEffect(() => {
    let goAt = -Infinity
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey) {
        event.preventDefault()
        return overlay.set(overlay.get() === 'palette' ? 'none' : 'palette')
      }
      if (event.ctrlKey || event.metaKey || event.altKey || !isOn.get()) return
      if (isEditable(event.target) || document.querySelector('[role="dialog"]')) return
      if (performance.now() - goAt < secondKeyMs) {
        goAt = -Infinity
        const page = navigation.flatMap(({ pages }) => pages).find((one) => one.key === event.key)
        if (page) {
          event.preventDefault()
          return void router.navigate({ to: page.to })
        }
      }
      if (event.key === 'g') goAt = performance.now()
      else if (act(event)) event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [router])
}

/** Does what a key means; whether it means something. */
function act({ key, target }: KeyboardEvent): boolean {
  const isRow = target instanceof Element && target.matches('tbody th a')
  if (key === '?') return (overlay.set('keys'), true)
  if (key === '/') return search()
  if (key === 'j' || (key === 'ArrowDown' && isRow)) return step(1)
  if (key === 'k' || (key === 'ArrowUp' && isRow)) return step(-1)
  if (key !== 'Escape') return false
  const close = document.querySelector<HTMLElement>('[data-escape]')
  close?.click()
  return close !== null
}

/** Goes to the search of a list, also where it is behind a button. */
function search(): boolean {
  const field = document.querySelector<HTMLElement>('[data-search]')
  if (field?.offsetParent !== null) {
    field?.focus()
    return field !== null
  }
  field.closest('.filters')?.querySelector<HTMLElement>('.filters-button')?.click()
  // The field is shown after the click has been dealt with.
  requestAnimationFrame(() => field.focus())
  return true
}

/** Moves the focus along the links of rows. */
function step(by: 1 | -1): boolean {
  const links = [...document.querySelectorAll<HTMLElement>('main tbody th a')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  const next = at < 0 ? links[0] : links[at + by]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
  return next !== undefined
}

function isEditable(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable]') !== null
  )
}

function stored(): boolean {
  try {
    return localStorage.getItem(key) !== 'off'
  } catch {
    return true
  }
}
