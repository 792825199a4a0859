import type { DescribedSetting } from './settings.ts'
import { computedOnce } from '../lib/computed-once.ts'

/** Settings by the beginnings of their paths: ten thousand accounts have a hundred thousand settings. */
interface Sections {
  /** By `accounts`, `limits`. */
  readonly parts: ReadonlyMap<string, readonly DescribedSetting[]>
  /** By `accounts[3]`, `limits.attempts`. */
  readonly entries: ReadonlyMap<string, readonly DescribedSetting[]>
}

/** The settings at a path and below it. Empty: all. */
export function settingsAt(
  all: readonly DescribedSetting[],
  section: string,
): readonly DescribedSetting[] {
  if (section === '') return all
  const { parts, entries } = sectionsOf(all)
  const [part, entry] = [partOf(section), entryOf(section)]
  const near = (entry === undefined ? parts.get(part) : entries.get(entry)) ?? []
  if (section === (entry ?? part)) return near
  return near.filter(({ path }) => isBelow(path, section))
}

/** Sorts settings into their sections, once for a list. */
export const sectionsOf = computedOnce((all: readonly DescribedSetting[]): Sections => {
  const parts = new Map<string, DescribedSetting[]>()
  const entries = new Map<string, DescribedSetting[]>()
  for (const one of all) {
    add(parts, partOf(one.path), one)
    add(entries, entryOf(one.path), one)
  }
  return { parts, entries }
})

function add(
  map: Map<string, DescribedSetting[]>,
  name: string | undefined,
  one: DescribedSetting,
): void {
  if (name === undefined) return
  const list = map.get(name)
  if (list) list.push(one)
  else map.set(name, [one])
}

function partOf(path: string): string {
  return /^[^.[]*/.exec(path)?.[0] ?? ''
}

function entryOf(path: string): string | undefined {
  return /^[^.[]*(?:\[\d+\]|\.[^.[]*)/.exec(path)?.[0]
}

function isBelow(path: string, section: string): boolean {
  return path.startsWith(section) && /^(?:$|[.[])/.test(path.slice(section.length))
}
