import { expect, test } from 'vitest'

import { odd, oddRequests } from './odd-requests.ts'
import { toldTo } from './told-members.ts'

test.each(oddRequests)('a client of %s is told of what nobody knows', (client, body, fields) => {
  expect(toldTo(client, body).toSorted()).toEqual(fields)
})

test('a client that says the same odd thing again and again is told of it once', () => {
  const messages = Array.from({ length: 100 }, () => ({ role: 'user', content: 'hi', ...odd }))
  expect(toldTo('chat', { messages })).toEqual(['messages[0].odd'])
})

test('a client that says very many odd things is told of some of them', () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`odd${at}`, 1]))
  const told = toldTo('chat', { messages: [{ role: 'user', content: 'hi', ...many }] })
  expect(told[0]).toBe('messages[0].odd0')
  expect(told.length).toBeLessThan(100)
})
