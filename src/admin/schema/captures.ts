import {
  type Capture,
  listCaptures,
  longestCaptureMs,
  mostExchanges,
  startCapture,
  stopCapture,
} from '../../capture/records.ts'
import type { Problem } from '../../contract/problems.ts'
import { type ActResult, addAct } from '../act.ts'
import type { AdminBuilder } from '../builder.ts'
import type { AdminContext } from '../context.ts'
import { conflict, invalid, notFound } from '../failures.ts'
import { findCallKey } from '../call-key.ts'
import { actorOf } from '../principal.ts'
import { readStore } from '../read-store.ts'
import { addRecordPayload } from './payloads.ts'
import { edgesOf } from './edges.ts'

const minuteMs = 60_000
const usualMinutes = 5
const usualExchanges = 100

/** All processes copy what their callers send: few captures are on at a time. */
const mostCaptures = 10

/** Adds the captures of requests and replies, and the acts on them. */
export function addCaptures(builder: AdminBuilder): void {
  const authScopes = { viewer: true }
  const capture = builder.objectRef<Capture>('Capture').implement({
    description:
      'A capture of requests and replies that is on, in all processes on the store. Its content is in files of the gateway, and in no answer.',
    authScopes,
    fields: (t) => ({
      id: t.exposeID('id', { description: 'Also the beginning of the names of its files.' }),
      keyId: t.exposeID('keyId'),
      model: t.string({ nullable: true, resolve: ({ model }) => model }),
      accountId: t.id({ nullable: true, resolve: ({ accountId }) => accountId }),
      exchanges: t.exposeInt('exchanges', { description: 'The most of each process.' }),
      startedAt: t.expose('startedAt', { type: 'DateTime' }),
      endsAt: t.expose('endsAt', { type: 'DateTime' }),
      startedBy: t.exposeString('startedBy'),
      ...edgesOf(t, {
        account: ({ accountId }) => accountId,
        key: ({ keyId }) => keyId,
        model: (one) => one.model,
      }),
    }),
  })
  builder.queryField('captures', (t) =>
    t.field({
      type: [capture],
      // While the store is away, the others of the operation are answered.
      nullable: true,
      description: 'The captures that are on, at most ten.',
      authScopes,
      complexity: { field: 1, multiplier: 5 },
      resolve: (_root, _args, context) =>
        readStore(context, () => listCaptures(context.services.running.store)),
    }),
  )
  addAct(builder, {
    name: 'startCapture',
    description:
      'Writes the requests and replies of a key to files of the gateway, for a bounded time, within two seconds in all processes. The configuration must permit it (`capture`).',
    role: 'admin',
    action: 'capture.start',
    input: builder.inputType('StartCaptureInput', {
      fields: (t) => ({
        keyId: t.id({ required: true }),
        minutes: t.int({ description: `From 1 to 60, by default ${usualMinutes}.` }),
        exchanges: t.int({
          description: `The most of each process, from 1 to ${mostExchanges}, by default ${usualExchanges}.`,
        }),
        model: t.string({ description: 'A platform model. Absent: all.' }),
        accountId: t.id({ description: 'The account that was asked last. Absent: all.' }),
        reason: t.string({ required: true, description: 'For the audit record.' }),
      }),
    }),
    success: addRecordPayload(builder, 'StartCaptureSuccess', 'capture', capture),
    target: ({ keyId }) => ({ type: 'key', id: keyId.slice(0, 200) }),
    run: (input, context) => start(input, context),
  })
  addAct(builder, {
    name: 'stopCapture',
    description: 'Ends a capture before its time, within two seconds in all processes.',
    role: 'admin',
    action: 'capture.stop',
    input: builder.inputType('StopCaptureInput', {
      fields: (t) => ({
        id: t.id({ required: true }),
        reason: t.string({ description: 'For the audit record.' }),
      }),
    }),
    success: addRecordPayload(builder, 'StopCaptureSuccess', 'capture', capture),
    target: ({ id }) => ({ type: 'capture', id: id.slice(0, 200) }),
    async run({ id }, { services }) {
      const stopped = await stopCapture(services.running.store, id)
      return stopped ? { done: { capture: stopped } } : notFound('capture', id.slice(0, 200))
    },
  })
}

interface StartInput {
  readonly keyId: string
  readonly minutes?: number | null | undefined
  readonly exchanges?: number | null | undefined
  readonly model?: string | null | undefined
  readonly accountId?: string | null | undefined
}

async function start(
  { keyId, minutes, exchanges, model, accountId }: StartInput,
  { services, principal }: AdminContext,
): Promise<ActResult<{ capture: Capture }>> {
  const { running, settings, now } = services
  if (!settings().capture) {
    return {
      failure: 'ManagedByFile',
      message: 'The configuration file does not permit captures.',
      fix: "set `capture: { directory: '/var/lib/dragoman/captures' }` in the configuration file, and restart",
    }
  }
  const wanted = { minutes: minutes ?? usualMinutes, exchanges: exchanges ?? usualExchanges }
  const problems = [
    ...outside('minutes', wanted.minutes, longestCaptureMs / minuteMs),
    ...outside('exchanges', wanted.exchanges, mostExchanges),
    ...tooLong({ model, accountId }),
  ]
  if (problems.length > 0) return invalid(problems)
  if (!(await findCallKey(services, keyId))) return notFound('key', keyId.slice(0, 200))
  const known = await listCaptures(running.store)
  if (known.some((one) => one.keyId === keyId)) return conflict('A capture of this key is on.')
  if (known.length >= mostCaptures) return conflict(`${mostCaptures} captures are on.`)
  const startedAt = now()
  const endsAt = startedAt + wanted.minutes * minuteMs
  const capture = await startCapture(running.store, {
    keyId,
    ...(model && { model }),
    ...(accountId && { accountId }),
    exchanges: wanted.exchanges,
    startedAt,
    endsAt,
    startedBy: actorOf(principal),
  })
  const { id } = capture
  const after = { capture: id, endsAt: new Date(endsAt).toISOString(), ...wanted, model, accountId }
  return { done: { capture }, changes: { after } }
}

function outside(path: string, value: number, most: number): Problem[] {
  if (value >= 1 && value <= most) return []
  return [{ path, message: `is not from 1 to ${most}`, fix: `use a number from 1 to ${most}` }]
}

function tooLong(texts: Readonly<Record<string, string | null | undefined>>): Problem[] {
  const long = Object.entries(texts).filter(([, text]) => (text?.length ?? 0) > 512)
  return long.map(([path]) => ({ path, message: 'is too long', fix: 'use 512 characters at most' }))
}
