import { describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { type GatewayPlugin, definePlugin } from '../../src/contract/plugin.ts'
import { until } from '../../src/testing/until.ts'
import { dialectNames } from '../requests/dialects.ts'
import { startService } from '../requests/service.ts'
import { expectError } from './envelope.ts'

const canary = 'plugin-canary'

function fail(): never {
  throw new Error(canary)
}

const failAsync = async (): Promise<never> => fail()

/** A hook that may not be asynchronous, written by somebody who does not know. */
const failSecretly = (): void => failAsync() as never
const failString = () => {
  // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error
  throw canary
}

type Hooks = Omit<GatewayPlugin, 'name'>

const fatal: Record<string, Hooks> = {
  onExchange: { onExchange: fail },
  'onExchange, later': { onExchange: failAsync },
  'onExchange, no Error': { onExchange: failString },
  onAuthenticate: { onAuthenticate: fail },
  'onAuthenticate, later': { onAuthenticate: failAsync },
  onCall: { onCall: fail },
  'onCall, after next': { onCall: ({ next }) => next().then(fail) },
  onCandidates: { onCandidates: fail },
  'onCandidates, later': { onCandidates: failAsync },
  onAttempt: { onAttempt: fail },
  'onAttempt, after next': { onAttempt: ({ next }) => next().then(fail) },
  'next twice': {
    onCall: async ({ next }) => {
      await next()
      return next()
    },
  },
}

const hooksOf = Object.keys(fatal)

describe.each(Object.entries(fatal))('a plugin that fails in %s', (hook, hooks) => {
  test.each(dailyRows(dialectNames, hooksOf.indexOf(hook)))(
    'ends as a clean error for %s',
    async (dialect) => {
      await using service = await startService({
        plugins: [definePlugin({ name: 'bad', ...hooks })],
      })
      // Before the dialect is known there is only the general envelope.
      const known = hooks.onExchange ? 'general' : dialect
      const body = await expectError(known, await service.ask(dialect), 500)
      expect(JSON.stringify(body)).not.toMatch(/canary|\.ts|twice/)
      expect(JSON.stringify(service.gateway.log)).toMatch(/canary|twice/)
      await service.gateway.logged(1)
      expect(service.gateway.gateway.inflight()).toBe(0)
    },
  )
})

const harmless: Record<string, Hooks> = {
  onOutcome: { onOutcome: fail },
  'onOutcome, later': { onOutcome: failAsync },
  'onOutcome, critical': { critical: true, onOutcome: failAsync },
  onEnd: { onEnd: fail },
  'onEnd, later': { onEnd: failSecretly },
}

describe.each(Object.entries(harmless))('a plugin that fails in %s', (_, hooks) => {
  test('is harmless, and the operators are told', async () => {
    await using service = await startService({ plugins: [definePlugin({ name: 'bad', ...hooks })] })
    for (const dialect of dialectNames) expect((await service.ask(dialect)).status).toBe(200)
    await service.gateway.logged(dialectNames.length)
    await until(() => JSON.stringify(service.gateway.log).includes(canary))
  })
})

test('a plugin that fails in onDispose does not keep the gateway from closing', async () => {
  const plugin = definePlugin({ name: 'bad', onDispose: failAsync })
  const service = await startService({ plugins: [plugin] })
  await service[Symbol.asyncDispose]()
  expect(JSON.stringify(service.gateway.log)).toContain(canary)
})
