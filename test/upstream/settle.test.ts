import { expect, test } from 'vitest'

import type { Attempt, Routed } from '../../src/contract/exchange.ts'
import type { Outcome } from '../../src/contract/outcome.ts'
import { type AttemptContext, settle } from '../../src/upstream/settle.ts'

const completed: Outcome = { status: 'completed', fault: 'none' }
const failed: Outcome = { status: 'failed', fault: 'gateway' }

function contextWith(changes: Partial<AttemptContext> = {}) {
  const notified: Outcome[] = []
  const progress = { outcome: undefined, failed: [] }
  const exchange = { operation: {}, progress } as unknown as Routed
  const attempt = { number: 1, candidate: {}, outcome: undefined } as unknown as Attempt
  const hooks = {
    attempt: undefined,
    produced: undefined,
    outcome: ({ outcome }: { outcome: Outcome }) => void notified.push(outcome),
  }
  return { notified, context: { exchange, attempt, hooks, ...changes } as AttemptContext }
}

test('the first outcome of an attempt counts, and plugins learn of no other', () => {
  const { context, notified } = contextWith()
  expect(settle(context, completed)).toBeUndefined()
  expect(settle(context, failed)).toBeUndefined()
  expect(notified).toEqual([completed])
  expect(context.exchange.progress.outcome).toBe(completed)
})

test('an attempt whose record cannot be made is settled as failed, not as completed', () => {
  const { context, notified } = contextWith({
    persist: () => {
      throw new Error('a dialect that cannot store its reply')
    },
  })
  expect(() => settle(context, completed)).toThrow('cannot store')
  expect(notified).toEqual([])
  void settle({ ...context, persist: undefined }, failed)
  expect(notified).toEqual([failed])
})

test('the last bytes wait for the record and for the plugins', async () => {
  const record = Promise.withResolvers<void>()
  const { context, notified } = contextWith({ persist: () => record.promise })
  let isSettled = false
  const settled = settle(context, completed)?.then(() => (isSettled = true))
  expect(notified).toEqual([completed])
  await Promise.resolve()
  expect(isSettled).toBe(false)
  record.resolve()
  await settled
  expect(isSettled).toBe(true)
})
