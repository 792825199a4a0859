import { expect, test } from 'vitest'

import { Declined } from '../../src/contract/attempt.ts'
import { refusal } from '../uploads/service.ts'
import { startStitches } from './performed.ts'

const both = ['/v1/first', '/v1/second']

test('an account that a plugin declines is passed over by an operation of several requests', async () => {
  await using stitches = await startStitches(({ exchange, next }) => {
    if (exchange.candidate.account.id === 'a') throw new Declined('budget', 'it is spent')
    return next()
  })
  expect((await stitches.stitch()).status).toBe(200)
  expect(stitches.asked()).toEqual({ a: [], b: both })
  expect(stitches.outcomes).toMatchObject([{ status: 'completed' }, { status: 'completed' }])
  expect(await stitches.gateway.logged(1)).toMatchObject([
    { account: 'b', attempts: 2, excluded: [{ account: 'a', by: 'budget' }] },
  ])
})

test('where all are declined the client is told that nobody is left', async () => {
  await using stitches = await startStitches(() => {
    throw new Declined('budget', 'it is spent')
  })
  expect(await refusal(await stitches.stitch())).toEqual([503, 'no_account_available'])
  expect(stitches.outcomes).toEqual([])
  const [line] = await stitches.gateway.logged(1)
  expect(line).toMatchObject({ attempts: 0, excluded: [{ account: 'a' }, { account: 'b' }] })
  expect(line).not.toHaveProperty('account')
})

test('what one account has begun no other one goes on with', async () => {
  await using stitches = await startStitches(({ outbound, next }) => {
    if (outbound.path.endsWith('/second')) throw new Declined('budget', 'it is spent')
    return next()
  })
  expect(await refusal(await stitches.stitch())).toEqual([503, 'no_account_available'])
  expect(stitches.asked()).toEqual({ a: ['/v1/first'], b: [] })
})

test('a plugin that fails around such a request has that told as its outcome, once', async () => {
  await using stitches = await startStitches(async ({ outbound, next }) => {
    if (outbound.path.endsWith('/first')) return next()
    throw new Error('out of order')
  })
  expect(await refusal(await stitches.stitch())).toEqual([500, 'internal_error'])
  expect(stitches.outcomes).toMatchObject([
    { status: 'completed' },
    { status: 'failed', fault: 'gateway', error: { code: 'internal_error' } },
  ])
})

test('nor does it matter that a plugin fails after the account has answered', async () => {
  await using stitches = await startStitches(async ({ next }) => {
    await next()
    throw new Error('out of order')
  })
  expect(await refusal(await stitches.stitch())).toEqual([500, 'internal_error'])
  expect(stitches.outcomes).toMatchObject([{ status: 'completed' }])
})
