import { expect, test } from 'vitest'

import { ask } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { startMixed } from './mixed.ts'

const foreign = { foreign: { form: form.messages } }

/** Fields that nobody knows but the client. */
const unknown = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 1]))

test.each([
  { what: 'has a line break', name: 'a\r\nset-cookie: b' },
  { what: 'is in another script', name: 'größe' },
  { what: 'is half a character', name: 'a\ud800' },
  { what: 'is a comma', name: ',' },
])('a client is served whose unknown field $what', async ({ name }) => {
  await using mixed = await startMixed(foreign)

  const response = await ask(mixed.gateway, form.chat, { stream: false, fields: unknown([name]) })

  expect(response.status).toBe(200)
  expect(response.headers.has('set-cookie')).toBe(false)
  expect(response.headers.get('x-dragoman-losses')).toMatch(/^[\x20-\x7e]+$/)
})

test.each([
  { what: 'very many', names: Array.from({ length: 20_000 }, (_, index) => `field-${index}`) },
  { what: 'very long', names: ['x'.repeat(1_000_000)] },
])('a client is served whose unknown fields are $what', async ({ names }) => {
  await using mixed = await startMixed(foreign)

  const response = await ask(mixed.gateway, form.chat, { stream: false, fields: unknown(names) })

  expect(response.status).toBe(200)
  const told = response.headers.get('x-dragoman-losses') ?? ''
  expect(told.length).toBeGreaterThan(0)
  expect(told.length).toBeLessThan(5_000)
  const [line] = await mixed.gateway.logged(1)
  expect(JSON.stringify(line).length).toBeLessThan(50_000)
})
