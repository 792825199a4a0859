import { describe, expect, test } from 'vitest'

import { type GatewayPlugin, definePlugin } from '../../src/contract/plugin.ts'
import { until } from '../../src/testing/until.ts'
import { startMixed } from '../walks/losses/mixed.ts'
import { ask } from '../walks/streams/asking.ts'
import { form } from '../walks/streams/forms.ts'
import { createGate, openStream } from '../walks/streams/scripted.ts'

const timeouts = { pluginMs: 50 }

const never = () => new Promise<never>(() => {})

const hooks = [
  'onExchange',
  'onAuthenticate',
  'onCaller',
  'onCall',
  'onCandidates',
  'onAttempt',
] as const
const around = ['onExchange', 'onCall', 'onAttempt'] as const

const logged = (hook: string) => ({
  plugin: 'hanging',
  msg: `hanging: ${hook} failed`,
  error: 'Error: It did not finish within 50 ms.',
})

/** A plugin whose hooks around the work wait for it, and for nothing else. */
const patient = definePlugin({
  name: 'patient',
  onExchange: ({ next }) => next(),
  async onCall({ next }) {
    // Its time runs by now.
    await Promise.resolve()
    return next()
  },
  onAttempt: ({ next }) => next(),
})

describe.each(hooks)('a plugin that hangs in %s', (hook) => {
  test('fails its own call after its time, is named, and blames no plugin that waits for it', async () => {
    const hanging: GatewayPlugin = { name: 'hanging', [hook]: never }
    const plugins = [patient, hanging]
    await using mixed = await startMixed({ a: { form: form.chat } }, { plugins, timeouts })
    const response = await ask(mixed.gateway, form.chat)

    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('finish')
    expect(mixed.accounts.a.requests).toEqual([])
    expect(mixed.gateway.log).toMatchObject([logged(hook)])
    expect(mixed.gateway.log).toHaveLength(1)
  })
})

describe.each(around)('a plugin that hangs in %s', (hook) => {
  test('with the reply in hands closes the stream of the account', async () => {
    const hanging = definePlugin({
      name: 'hanging',
      [hook]: async ({ next }: { next: () => Promise<unknown> }) => {
        await next()
        return never()
      },
    })
    const script = (response: Parameters<typeof openStream>[0]) =>
      openStream(response, [...form.chat.announcements, ...form.chat.output])
    const options = { plugins: [hanging], timeouts }
    await using mixed = await startMixed({ a: { form: form.chat, script } }, options)
    const response = await ask(mixed.gateway, form.chat)

    expect(response.status).toBe(500)
    await until(() => mixed.accounts.a.requests[0]?.aborted === true)
    expect(mixed.gateway.log).toMatchObject([logged(hook)])
  })

  test('and goes on later sends nothing to an account', async () => {
    const gate = createGate()
    const lateErrors: unknown[] = []
    const hanging = definePlugin({
      name: 'hanging',
      [hook]: async ({ next }: { next: () => Promise<unknown> }) => {
        await gate.opened
        return next().catch((error: unknown) => lateErrors.push(error))
      },
    })
    const options = { plugins: [hanging], timeouts }
    await using mixed = await startMixed({ a: { form: form.chat } }, options)
    const response = await ask(mixed.gateway, form.chat)
    gate.open()
    await until(() => lateErrors.length === 1)

    expect(response.status).toBe(500)
    expect(lateErrors).toMatchObject([{ message: 'It did not finish within 50 ms.' }])
    expect(mixed.accounts.a.requests).toEqual([])
  })
})

test('a hook that fails while its work goes on is not late afterwards', async () => {
  const strays: unknown[] = []
  const note = (error: unknown) => void strays.push(error)
  process.on('unhandledRejection', note)
  using _ = { [Symbol.dispose]: () => void process.off('unhandledRejection', note) }
  const careless = definePlugin({
    name: 'careless',
    onCall({ next }) {
      next().catch(() => {})
      throw new Error('It has no patience.')
    },
  })
  await using mixed = await startMixed(
    { a: { form: form.chat } },
    { plugins: [careless], timeouts },
  )
  expect((await ask(mixed.gateway, form.chat)).status).toBe(500)
  await until(() => mixed.accounts.a.requests.length === 1)
  // Two deadlines of another plugin, which begin later.
  const hanging = { name: 'hanging', onCall: never }
  await using other = await startMixed({ a: { form: form.chat } }, { plugins: [hanging], timeouts })
  await ask(other.gateway, form.chat)
  await ask(other.gateway, form.chat)

  expect(strays).toEqual([])
})

test('the time of a plugin stands still while an account takes longer', async () => {
  const gate = createGate()
  const script = async (response: Parameters<typeof openStream>[0]) => {
    await gate.opened
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(form.chat.reply))
  }
  const plugins = [patient]
  await using mixed = await startMixed({ a: { form: form.chat, script } }, { plugins, timeouts })
  const { gateway } = mixed
  const slow = ask(gateway, form.chat, { stream: false })
  await until(() => mixed.accounts.a.requests.length === 1)
  await using other = await startMixed(
    { a: { form: form.chat } },
    { plugins: [{ name: 'hanging', onCall: never }], timeouts },
  )
  // As long as the deadline of another plugin, which begins now.
  expect((await ask(other.gateway, form.chat)).status).toBe(500)
  gate.open()

  expect((await slow).status).toBe(200)
  expect(gateway.log).toEqual([])
})
