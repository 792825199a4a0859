import { describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { GatewayError } from '../../src/contract/errors.ts'
import type { Reply } from '../../src/contract/outcome.ts'
import { type GatewayPlugin, definePlugin } from '../../src/contract/plugin.ts'
import { answerJson } from '../../src/testing/fake-account.ts'
import { startMixed } from '../walks/losses/mixed.ts'
import { ask } from '../walks/streams/asking.ts'
import { form } from '../walks/streams/forms.ts'

const broken = new Error('the disk is full')

function fail(): never {
  throw broken
}

const own = { status: 200, headers: {}, body: 'mine' }

interface Failing {
  readonly hook: string
  /** The account, where one is known by then. */
  readonly account?: string
  readonly at: (how: () => never) => Partial<GatewayPlugin>
}

const hooks: readonly Failing[] = [
  { hook: 'onExchange', at: (how) => ({ onExchange: how }) },
  { hook: 'onAuthenticate', at: (how) => ({ onAuthenticate: how }) },
  { hook: 'onRequest', at: (how) => ({ onRequest: how }) },
  { hook: 'onCaller', at: (how) => ({ onCaller: how }) },
  { hook: 'onCall', at: (how) => ({ onCall: how }) },
  { hook: 'onCandidates', at: (how) => ({ onCandidates: how }) },
  { hook: 'onAttempt', account: 'only', at: (how) => ({ onAttempt: how }) },
]

const ways = hooks.flatMap((one) => [
  { ...one, way: 'at once', how: fail },
  { ...one, way: 'later', how: (async () => Promise.reject(broken)) as unknown as () => never },
])

/** A hook that lets everything through stands around the failing one, and another one behind it. */
function around(failing: Partial<GatewayPlugin>): GatewayPlugin[] {
  const passing = (name: string) =>
    definePlugin({
      name,
      onExchange: ({ next }) => next(),
      onCall: async ({ next }) => await next(),
      onAttempt: ({ next }) => next(),
    })
  return [passing('outer'), { name: 'mine', ...failing }, passing('inner')]
}

async function asked(failing: Partial<GatewayPlugin>) {
  await using mixed = await startMixed({ only: { form: form.chat } }, { plugins: around(failing) })
  const response = await ask(mixed.gateway, form.chat)
  const text = await response.text()
  await mixed.gateway.logged(1)
  const id = response.headers.get('x-request-id')
  return { response, text, id, log: mixed.gateway.log }
}

describe.each(dailyRows(ways))(
  'a plugin that fails in $hook, $way',
  ({ hook, account, at, how }) => {
    test('is told to operators by its name, with the exchange that it failed', async () => {
      const { id, log } = await asked(at(how))

      expect(log).toEqual([
        {
          time: expect.any(String) as string,
          level: 'error',
          msg: `mine: ${hook} failed`,
          plugin: 'mine',
          request_id: id,
          ...(account && { account }),
          error: 'Error: the disk is full',
        },
      ])
    })

    test('leaves its client with an error that says nothing of it', async () => {
      const { response, text } = await asked(at(how))

      expect(response.status).toBe(500)
      expect(JSON.parse(text)).toMatchObject({
        error: {
          message: 'The gateway failed to process this request.',
          details: [{ code: 'internal_error' }],
        },
      })
      expect(text).not.toMatch(/disk|mine/)
    })
  },
)

test.each(['onExchange', 'onCall', 'onAttempt'] as const)(
  'a plugin whose %s gives no reply is told by its name',
  async (hook) => {
    const { response, id, log } = await asked({ [hook]: () => ({ ...own, body: 7 }) as never })

    expect(response.status).toBe(500)
    expect(log).toMatchObject([{ msg: `mine: ${hook} failed`, plugin: 'mine', request_id: id }])
  },
)

test('what a plugin throws for the client is no failure', async () => {
  const refusal = () => {
    throw new GatewayError('invalid_value', 'This is not asked for here.')
  }
  for (const { at } of hooks) {
    const { response, text, log } = await asked(at(refusal))

    expect(response.status).toBe(400)
    expect(text).toContain('This is not asked for here.')
    expect(log).toEqual([])
  }
})

test('an account that fails is held against no plugin on the way', async () => {
  const down = { form: form.chat, script: answerJson({}, { status: 500 }) }
  await using mixed = await startMixed({ only: down }, { plugins: around({}) })

  const response = await ask(mixed.gateway, form.chat)

  expect(response.status).toBe(500)
  expect(mixed.gateway.log).toEqual([])
})

test('a plugin that fails and is stood in for by another one is told all the same', async () => {
  const saving = definePlugin({
    name: 'saving',
    onCall: ({ next }) => next().catch((): Reply => own),
  })
  const plugins = [saving, { name: 'mine', onCall: fail }]
  await using mixed = await startMixed({ only: { form: form.chat } }, { plugins })

  const response = await ask(mixed.gateway, form.chat)

  expect(await response.text()).toBe('mine')
  expect(mixed.gateway.log).toMatchObject([{ msg: 'mine: onCall failed', plugin: 'mine' }])
})
