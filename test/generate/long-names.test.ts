import { afterEach, expect, test, vi } from 'vitest'

import { DeclaredToolNames } from '../../plugins/dialects/generate/codec/tool-names.ts'
import { safeToolId } from '../../src/generate/call-ids.ts'
import { readDataUrl } from '../../src/generate/data-url.ts'
import { safeToolName, schemaName, shortenId } from '../../src/generate/names.ts'

const long = '.'.repeat(1_000_000)

afterEach(() => void vi.restoreAllMocks())

/** The most characters that one replacement looks at while `act` runs. */
function longestReplaced(act: () => void): number {
  const replace = vi.spyOn(String.prototype, 'replaceAll')
  act()
  const lengths = replace.mock.contexts.map((text) => String(text).length)
  replace.mockRestore()
  return Math.max(0, ...lengths)
}

test.each([
  ['a tool', (name: string) => safeToolName(name)],
  ['a schema', (name: string) => schemaName(name)],
  [
    'a declared tool',
    (name: string) => new DeclaredToolNames([{ kind: 'function', name }]).toAccount(name),
  ],
] as const)('a long name of %s is cut before its characters are replaced', (_, nameOf) => {
  expect(longestReplaced(() => nameOf(long))).toBeLessThanOrEqual(120)
  expect(nameOf(long).length).toBeLessThanOrEqual(128)
  expect(nameOf(long)).toMatch(/^_+/)
})

test('names and ids that differ only far behind their beginning stay different', () => {
  for (const safe of [safeToolName, safeToolId, shortenId]) {
    expect(safe(`${long}a`)).not.toBe(safe(`${long}b`))
    expect(safe(`a${long}`)).not.toBe(safe(`b${long}`))
    expect(safe(`${long}a`)).toBe(safe(`${long}a`))
    expect(safe(`${long}..`)).not.toBe(safe(`${long}.`))
  }
})

test('a data URL with millions of parameters is none', () => {
  expect(readDataUrl(`data:${';'.repeat(10_000_000)},a`)).toBeUndefined()
  expect(readDataUrl(`data:text/plain;a=${'b'.repeat(4000)};base64,YQ==`)).toEqual({
    mediaType: 'text/plain',
    base64: 'YQ==',
  })
})
