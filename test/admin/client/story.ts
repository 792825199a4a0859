import { describe, test, vi } from 'vitest'

import { AdminError, nodesOf } from '../../../examples/admin-client/admin-client.ts'
import {
  AccountsDocument,
  BindingsDocument,
  DisableAccountDocument,
  EnableAccountDocument,
  ForgetBindingDocument,
  ForgetJobDocument,
  JobsDocument,
  LiveDocument,
  type LiveSubscription,
  LookUpBindingDocument,
  LookUpJobDocument,
  RefreshJobDocument,
} from '../../../examples/admin-client/operations.generated.ts'
import { until } from '../../../src/testing/until.ts'
import { type Deployed, type Deployment, openClient, openSend } from './places.ts'

const longMs = 20_000
const say = { model: 'sandbox/words=2', input: 'content-canary' }
const film = { model: 'sandbox/polls=3', prompt: 'content-canary', seconds: '4' }

type Event = LiveSubscription['live']

/** Follows all topics, to the end of the scope. */
function follow(deployed: Deployed) {
  const events: Event[] = []
  const errors: unknown[] = []
  const following = openClient(deployed, 'viewer').follow(
    LiveDocument,
    { topics: ['PULSE', 'EXCHANGES', 'ACCOUNTS', 'JOBS', 'AUDIT'] },
    {
      onData: ({ live }) => void events.push(live),
      onEnd: (error) => void errors.push(error),
    },
  )
  const of = <Type extends Event['__typename']>(type: Type) =>
    events.filter(
      (event): event is Extract<Event, { __typename: Type }> => event.__typename === type,
    )
  return { events, errors, of, [Symbol.dispose]: () => following[Symbol.dispose]() }
}

/** The nodes of a list, which the stores of other processes may have a moment later. */
async function collect<Node>(nodes: AsyncIterable<Node>): Promise<Node[]> {
  const all: Node[] = []
  for await (const node of nodes) all.push(node)
  return all
}

/** What operators do, and what clients and followers get of it, in each of these deployments. */
export function operatorStories(deployments: readonly Deployment[]): void {
  // Each of these waits for what happens in other processes, and so all of them at once.
  vi.setConfig({ testTimeout: 90_000 })

  describe.each(deployments)('on $name', ({ start }) => {
    test.concurrent('operators list, page through and look up what clients have made, and change none of it', async ({
      expect,
    }) => {
      await using deployed = await start()
      const send = openSend(deployed)
      const client = openClient(deployed, 'viewer')
      const bindings = (filter: object) =>
        collect(
          nodesOf(
            async (after) =>
              (await client.query(BindingsDocument, { first: 2, after, filter })).bindings,
          ),
        )
      const jobs = (filter: object) =>
        collect(
          nodesOf(
            async (after) => (await client.query(JobsDocument, { first: 1, after, filter })).jobs,
          ),
        )

      const accounts = await collect(
        nodesOf(
          async (after) => (await client.query(AccountsDocument, { first: 1, after })).accounts,
        ),
      )
      expect(accounts.map(({ id, state }) => [id, state])).toEqual([
        ['first', 'ENABLED'],
        ['second', 'ENABLED'],
      ])

      const responses = []
      for (let count = 0; count < 5; count++) {
        responses.push((await send('mine', '/v1/responses', say)).body.id)
      }
      const foreign = (await send('other', '/v1/responses', say)).body.id
      const own = { keyId: 'mine', kind: 'response' }
      await until(async () => (await bindings({ kind: 'response' })).length === 6, longMs)
      const listed = await bindings(own)
      expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(responses))
      expect(new Set(listed.map(({ accountId }) => accountId))).toEqual(new Set(['first']))
      expect(await bindings({ ...own, accountId: 'second' })).toEqual([])

      const lookUp = async (keyId: string, id: string) =>
        (await client.query(LookUpBindingDocument, { keyId, id })).binding
      expect(await lookUp('other', foreign)).toMatchObject({
        state: 'FOUND',
        binding: { kind: 'response', accountId: 'first' },
        answers: [
          { use: 'CHAIN', status: 200, accountId: 'first' },
          { use: 'READ', status: 200, accountId: 'first' },
        ],
      })
      expect(await lookUp('mine', foreign)).toMatchObject({
        state: 'MISSING',
        binding: null,
        answers: [{ code: 'previous_response_not_found' }, { status: 404 }],
      })

      const videos = []
      for (const key of ['mine', 'mine', 'other']) {
        videos.push((await send(key, '/v1/videos', film)).body.id)
      }
      await until(async () => (await jobs({})).length === 3, longMs)
      expect((await jobs({ keyId: 'mine' })).map(({ id }) => `video_${id}`)).toEqual(
        videos.slice(0, 2).toReversed(),
      )
      expect(await jobs({ state: 'FAILED' })).toEqual([])
      const { job } = await client.query(LookUpJobDocument, { id: videos[2]! })
      expect(job).toMatchObject({
        keyId: 'other',
        accountId: 'first',
        state: 'QUEUED',
        progress: 0,
      })
      expect((await client.query(LookUpJobDocument, { id: 'video_unknown' })).job).toBeNull()
      expect(JSON.stringify([listed, await jobs({}), accounts])).not.toContain('canary')

      const refused = await client
        .mutate(DisableAccountDocument, { input: { id: 'first', reason: 'curious' } })
        .catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(AdminError)
      expect(refused).toMatchObject({ code: 'FORBIDDEN' })
      const tooMany = await client
        .query(AccountsDocument, { first: 101 })
        .catch((error: unknown) => error)
      expect(tooMany).toMatchObject({
        code: 'BAD_USER_INPUT',
        message: '`first` is from 1 to 100.',
      })
    })

    test.concurrent('an operator disables and enables an account: every process obeys, and a follower sees it', async ({
      expect,
    }) => {
      await using deployed = await start()
      const send = openSend(deployed)
      const client = openClient(deployed, 'operator')
      using live = follow(deployed)
      // Nothing that happens before the subscription is in it, and the accounts are compared from then on.
      await until(
        () => live.of('PulseSample').some(({ processes }) => processes === deployed.processes),
        longMs,
      )

      const { body: first } = await send('mine', '/v1/responses', say)
      const input = { id: 'first', reason: 'over budget' }
      const { disableAccount } = await client.mutate(DisableAccountDocument, { input })
      expect(disableAccount).toMatchObject({
        __typename: 'DisableAccountSuccess',
        account: {
          enabled: false,
          state: 'DISABLED',
          stateReason: 'an operator disabled it: over budget',
        },
      })
      /** Of many calls, so that each process gets some. */
      const asked = async () => {
        const replies = await Promise.all(
          Array.from({ length: 12 }, () => send('mine', '/v1/responses', say)),
        )
        return [...new Set(replies.map(({ account }) => account))].join()
      }
      await until(async () => (await asked()) === 'second', longMs)
      const chained = await send('mine', '/v1/responses', {
        ...say,
        previous_response_id: first.id,
      })
      expect(chained.body.error?.code).toBe('previous_response_account_unavailable')
      const { binding } = await client.query(LookUpBindingDocument, { keyId: 'mine', id: first.id })
      expect(binding.answers[0]).toMatchObject({
        status: 503,
        code: 'previous_response_account_unavailable',
      })

      const changed = (enabled: boolean) =>
        live
          .of('AccountChanged')
          .filter((one) => one.accountId === 'first' && one.enabled === enabled)
      await until(
        () => new Set(changed(false).map((one) => one.processId)).size === deployed.processes,
        longMs,
      )
      await until(() => live.of('AuditRecorded').length >= 2, longMs)
      const audited = live.of('AuditRecorded').slice(-2)
      expect(audited.map(({ entry }) => entry)).toEqual(
        ['STARTED', 'DONE'].map((result) => ({
          action: 'account.disable',
          result,
          actor: { id: 'operator' },
          target: { type: 'account', id: 'first' },
        })),
      )
      const ended = () => live.of('ExchangeEnded').map(({ exchange }) => exchange)
      await until(
        () => new Set(ended().map((one) => one.processId)).size === deployed.processes,
        longMs,
      )
      expect(new Set(ended().map(({ keyId }) => keyId))).toEqual(new Set(['mine']))

      const { enableAccount } = await client.mutate(EnableAccountDocument, {
        input: { id: 'first' },
      })
      expect(enableAccount).toMatchObject({ account: { state: 'ENABLED' } })
      await until(async () => (await asked()) === 'first', longMs)
      await until(() => changed(true).length > 0, longMs)
      const unknown = await client.mutate(EnableAccountDocument, { input: { id: 'none' } })
      expect(unknown.enableAccount).toEqual({
        __typename: 'NotFound',
        message: 'There is no account "none".',
      })
      expect(live.errors).toEqual([])
      expect(JSON.stringify(live.events)).not.toContain('canary')
    })

    test.concurrent('an operator refreshes and forgets jobs and bindings: clients get what the look-ups say', async ({
      expect,
    }) => {
      await using deployed = await start()
      const send = openSend(deployed)
      const client = openClient(deployed, 'operator')
      using live = follow(deployed)
      await until(() => live.of('PulseSample').length > 0, longMs)

      const { body: video } = await send('mine', '/v1/videos', film)
      const states = () => live.of('JobChanged').map(({ state }) => state)
      await until(() => states().includes('QUEUED'), longMs)
      const refreshed = await client.mutate(RefreshJobDocument, { input: { id: video.id } })
      expect(refreshed.refreshJob).toMatchObject({
        __typename: 'RefreshJobSuccess',
        stale: false,
        job: { state: 'IN_PROGRESS', accountId: 'first' },
      })
      // The state that the operator has read is sent as well as those that clients read.
      await until(() => states().includes('IN_PROGRESS'), longMs)
      await until(
        async () => (await send('mine', `/v1/videos/${video.id}`)).body.status === 'completed',
      )
      await until(() => states().includes('COMPLETED'), longMs)
      const done = await client.mutate(RefreshJobDocument, { input: { id: video.id } })
      expect(done.refreshJob).toMatchObject({ job: { state: 'COMPLETED', progress: 100 } })

      const input = { id: video.id, reason: 'the client asks for it' }
      const forgotten = await client.mutate(ForgetJobDocument, { input })
      expect(forgotten.forgetJob?.__typename).toBe('ForgetJobSuccess')
      expect((await send('mine', `/v1/videos/${video.id}`)).status).toBe(404)
      const again = await client.mutate(ForgetJobDocument, { input })
      expect(again.forgetJob?.__typename).toBe('NotFound')

      const { body: reply } = await send('mine', '/v1/responses', say)
      const named = {
        keyId: 'mine',
        id: reply.id,
        kind: 'response',
        reason: 'the client asks for it',
      }
      const { forgetBinding } = await client.mutate(ForgetBindingDocument, { input: named })
      expect(forgetBinding).toEqual({ __typename: 'ForgetBindingSuccess', id: reply.id })
      const chained = await send('mine', '/v1/responses', {
        ...say,
        previous_response_id: reply.id,
      })
      expect([chained.status, chained.body.error?.code]).toEqual([
        400,
        'previous_response_not_found',
      ])
      const { binding } = await client.query(LookUpBindingDocument, { keyId: 'mine', id: reply.id })
      expect(binding.state).toBe('MISSING')
      const twice = await client.mutate(ForgetBindingDocument, { input: named })
      expect(twice.forgetBinding?.__typename).toBe('NotFound')
      await until(
        () => live.of('AuditRecorded').some(({ entry }) => entry.action === 'binding.forget'),
        longMs,
      )
      expect(live.errors).toEqual([])
    })
  })
}
