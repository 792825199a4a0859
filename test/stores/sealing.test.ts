import { expect, test } from 'vitest'

import { createSealer } from '../../src/stores/sealing.ts'

const [first, second] = ['a'.repeat(32), 'b'.repeat(32)]
const secret = 'sk-canary-0123456789'

test('the newest key seals, and all keys open', () => {
  const old = createSealer([first]).seal(secret, 'subject')
  const ring = createSealer([second, first])
  expect(ring.open(old, 'subject')).toEqual({ secret })
  const sealed = ring.seal(secret, 'subject')
  expect(sealed.key).toBe(ring.newest())
  expect(createSealer([second]).open(sealed, 'subject')).toEqual({ secret })
  expect(createSealer([first]).open(sealed, 'subject')).toEqual({ fault: 'unknown-key' })
})

test('a sealed secret says nothing of itself or its key, and never twice the same', () => {
  const sealer = createSealer([first])
  const [one, other] = [sealer.seal(secret, 's'), sealer.seal(secret, 's')]
  expect(one.box).not.toBe(other.box)
  expect(one.nonce).not.toBe(other.nonce)
  expect(JSON.stringify(one)).not.toContain(secret)
  expect(JSON.stringify([one, sealer])).not.toContain(first)
})

test('a sealed secret opens for its subject only, and not when a part was changed', () => {
  const sealer = createSealer([first])
  const sealed = sealer.seal(secret, 'subject')
  expect(sealer.open(sealed, 'other')).toEqual({ fault: 'changed' })
  const swapped = sealer.seal(secret, 'subject')
  const wrong = [
    { ...sealed, nonce: swapped.nonce },
    { ...sealed, box: swapped.box },
    { ...sealed, box: sealed.box.slice(0, -2) },
    { ...sealed, box: '' },
    { ...sealed, nonce: '' },
    { ...sealed, nonce: '%' },
  ]
  for (const one of wrong) expect(sealer.open(one, 'subject')).toEqual({ fault: 'changed' })
})

test("a store's own key is asked for only when it is needed", () => {
  let asked = 0
  const own = () => {
    asked++
    return second
  }
  const ring = createSealer([first], own)
  expect(ring.open(ring.seal(secret, 's'), 's')).toEqual({ secret })
  expect(asked).toBe(0)
  expect(ring.open(createSealer([second]).seal(secret, 's'), 's')).toEqual({ secret })
  const alone = createSealer([], own)
  expect(alone.open(alone.seal(secret, 's'), 's')).toEqual({ secret })
  expect(createSealer([]).hasKey).toBe(false)
})
