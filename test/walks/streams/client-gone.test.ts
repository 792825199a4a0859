import { describe, expect, test } from 'vitest'

import { definePlugin } from '../../../src/contract/plugin.ts'
import { startFakeAccount } from '../../../src/testing/fake-account.ts'
import { type TestGateway, createTestGateway } from '../../../src/testing/gateway.ts'
import { until } from '../../../src/testing/until.ts'
import { ask, type Asking } from './asking.ts'
import { form, type Form, forms, upToOutput } from './forms.ts'
import { accountFor, openStream, stage } from './scripted.ts'

describe.each(forms)('the account of a $name client', (form) => {
  test('is let go when the client leaves in the middle of the stream', async () => {
    await using scene = await stage(form, (response) => openStream(response, upToOutput(form)))
    const leaving = new AbortController()

    await ask(scene.gateway, form, { signal: leaving.signal })
    leaving.abort()

    await until(() => scene.account.requests[0]!.aborted)
    expect((await scene.gateway.logged(1))[0]).toMatchObject({
      level: 'info',
      status: 200,
      stream: true,
      stream_end: 'client_gone',
      account: 'only',
    })
  })

  test.each([{ stream: true }, { stream: false }])(
    'is let go when the client leaves before there is an answer (stream: $stream)',
    async ({ stream }) => {
      await using scene = await stage(form, () => {})

      await leaveBeforeAnAnswer(scene.gateway, form, { stream }, () =>
        until(() => scene.account.requests.length === 1),
      )

      await until(() => scene.account.requests[0]!.aborted)
      expect((await scene.gateway.logged(1))[0]).toMatchObject({
        status: 499,
        stream_end: 'client_gone',
        attempts: 1,
      })
    },
  )

  test('is let go, too, when it has taken over from another', async () => {
    await using failing = await startFakeAccount((response) =>
      // Tells of its failure and keeps the connection open.
      openStream(response, [...form.announcements, form.inBandError]),
    )
    await using spare = await startFakeAccount((response) => openStream(response, upToOutput(form)))
    await using gateway = await createTestGateway({
      accounts: [
        accountFor(form, 'failing', failing.url),
        accountFor(form, 'spare', spare.url, { priority: 1 }),
      ],
    })
    const leaving = new AbortController()

    const response = await ask(gateway, form, { signal: leaving.signal })
    expect(response.headers.get('x-dragoman-account')).toBe('spare')
    await until(() => failing.requests[0]!.aborted)
    leaving.abort()

    await until(() => spare.requests[0]!.aborted)
    expect((await gateway.logged(1))[0]).toMatchObject({
      stream_end: 'client_gone',
      account: 'spare',
    })
  })
})

test('nobody else is asked for a client that has left', async () => {
  await using first = await startFakeAccount(() => {})
  await using second = await startFakeAccount(() => {})
  await using gateway = await createTestGateway({
    accounts: [
      accountFor(form.chat, 'first', first.url),
      accountFor(form.chat, 'second', second.url, { priority: 1 }),
    ],
  })

  await leaveBeforeAnAnswer(gateway, form.chat, {}, () => until(() => first.requests.length === 1))

  await until(() => first.requests[0]!.aborted)
  await gateway.logged(1)
  expect(second.requests).toHaveLength(0)
  expect(gateway.log).toEqual([])
})

test('a client that left while a plugin was at work does no harm to the next one', async () => {
  await using account = await startFakeAccount(() => {})
  await using gateway = await createTestGateway({
    accounts: [accountFor(form.chat, 'only', account.url)],
    plugins: [holdUpUntilGone],
    timeouts: { firstByteMs: 200 },
  })

  await leaveBeforeAnAnswer(gateway, form.chat, { headers: { 'x-hold-up': 'yes' } }, () =>
    until(() => gateway.gateway.inflight() === 1),
  )
  expect((await gateway.logged(1))[0]).toMatchObject({ status: 499, stream_end: 'client_gone' })
  const next = await ask(gateway, form.chat, { signal: AbortSignal.timeout(5_000) })

  expect(next.status).toBe(504)
  expect(account.requests).toHaveLength(1)
})

const holdUpUntilGone = definePlugin({
  name: 'hold-up-until-gone',
  async onCall({ exchange, next }) {
    if (exchange.request.headers['x-hold-up']) await until(() => exchange.client.gone)
    return next()
  },
})

async function leaveBeforeAnAnswer(
  gateway: TestGateway,
  form: Form,
  asking: Asking,
  underWay: () => Promise<void>,
): Promise<void> {
  const leaving = new AbortController()
  const asked = ask(gateway, form, { ...asking, signal: leaving.signal })
  await underWay()
  leaving.abort()
  await expect(asked).rejects.toThrow('aborted')
}
