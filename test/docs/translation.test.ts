import { expect, test } from 'vitest'

import { allRows } from '../codecs/fields/rows.ts'
import { openPage } from './pages.ts'

const losses = openPage('docs/translation.md').section('Losses')
const [, table = ''] = /under every policy[^|]*\n((?:\|.*\n)+)/.exec(losses) ?? []
const listed = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) =>
  Array.from(cell.matchAll(/`([\w.]+)`/g), ([, name = '']) => name),
)

/** The names of the fields that accounts of another dialect refuse under every policy. */
const refused = Object.values(allRows())
  .flat()
  .filter(({ fates }) => Object.values(fates).some(({ kind }) => kind === 'refused'))
  .flatMap(({ fields }) => fields)
  .join('\n')

test('what the page lists as refused under every policy is refused', () => {
  expect(listed.length).toBeGreaterThan(20)
  expect(listed.filter((name) => !new RegExp(`\\b${name}\\b`).test(refused))).toEqual([])
})

/** Fields of one word that the accounts of no other dialect have. */
const native = Object.values(allRows())
  .flat()
  .filter(({ fates }) => Object.values(fates).every(({ kind }) => kind === 'refused'))
  .flatMap(({ fields }) => fields.flatMap((field) => /^(\w+)$/.exec(field)?.[1] ?? []))

test('and the page lists the fields that no other dialect has', () => {
  expect(native.filter((name) => !listed.includes(name))).toEqual([])
})
