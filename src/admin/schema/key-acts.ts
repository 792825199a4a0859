import type { InputRef, ObjectRef } from '@pothos/core'

import { defined } from '../../lib/json/object.ts'
import type { ErrorForm } from '../../contract/request.ts'
import type { LossPolicy } from '../../generate/unsupported.ts'
import {
  type KeyRecord,
  type Labels,
  createKey,
  getKey,
  readKey,
  revokeKey,
  rotateKey,
  updateKey,
} from '../../stores/keys.ts'
import { type ActResult, addAct } from '../act.ts'
import type { AdminBuilder, AdminBuilderTypes, InputFields } from '../builder.ts'
import type { AdminContext } from '../context.ts'
import { type ActFailure, invalid, notFound } from '../failures.ts'
import type { KeyView, Label } from '../key-view.ts'
import {
  changedKeyView,
  checkKeyInput,
  isRecordId,
  keyFailure,
  keyOfFile,
  settingsOf,
  switchKey,
} from '../keys.ts'
import { actorOf } from '../principal.ts'
import { unknownTeam } from '../teams.ts'
import { enumsOf } from './enums.ts'
import { addRecordPayload } from './payloads.ts'

/** 30 days: a former secret that works for ever would be a second key. */
const longestGraceSeconds = 30 * 24 * 60 * 60

/** Adds the acts on API keys. */
export function addKeyActs(
  builder: AdminBuilder,
  key: ObjectRef<AdminBuilderTypes, KeyView>,
  label: InputRef<Label>,
): void {
  const issued = (name: string) =>
    builder.objectRef<{ key: KeyView; secret: string }>(name).implement({
      authScopes: { admin: true },
      fields: (t) => ({
        key: t.field({ type: key, nullable: true, resolve: (one) => one.key }),
        secret: t.exposeString('secret', { description: 'The secret, which is not shown again.' }),
      }),
    })
  const target = ({ id }: { id: string }) => ({ type: 'key', id })

  addAct(builder, {
    name: 'createKey',
    description: 'Issues an API key. Every process accepts it within two seconds.',
    role: 'admin',
    action: 'key.create',
    input: builder.inputType('CreateKeyInput', {
      fields: (t) => ({
        id: t.id({
          required: true,
          description:
            'An id that no key has had: ids are never used again, not after a revocation.',
        }),
        ...settingsFields(builder, t, label, 'Absent or null'),
        reason: t.string({ description: 'For the audit record.' }),
      }),
    }),
    success: issued('CreateKeySuccess'),
    target,
    run: (input, context) => create(input, context),
  })
  addAct(builder, {
    name: 'updateKey',
    description: 'Changes the settings of an API key: an absent one stays, null removes one.',
    role: 'admin',
    action: 'key.update',
    input: builder.inputType('UpdateKeyInput', {
      fields: (t) => ({
        id: t.id({ required: true }),
        ...settingsFields(builder, t, label, 'Absent: unchanged. null'),
        expectedVersion: t.int({ description: 'The version that was read. Absent: any.' }),
        reason: t.string({ description: 'For the audit record.' }),
      }),
    }),
    success: addRecordPayload(builder, 'UpdateKeySuccess', 'key', key),
    target,
    run: (input, context) => update(input, context),
  })
  addAct(builder, {
    name: 'rotateKey',
    description:
      'Replaces the secret of an API key. The former one ends at once, or after a grace period in which both work; one that an earlier rotation left ends at once.',
    role: 'admin',
    action: 'key.rotate',
    input: builder.inputType('RotateKeyInput', {
      fields: (t) => ({
        id: t.id({ required: true }),
        graceSeconds: t.int({ description: 'From 0 (the default) to 30 days.' }),
        expectedVersion: t.int({ description: 'The version that was read. Absent: any.' }),
        reason: t.string({ description: 'For the audit record. Required without a grace period.' }),
      }),
    }),
    success: issued('RotateKeySuccess'),
    target,
    run: (input, context) => rotate(input, context),
  })
  addAct(builder, {
    name: 'disableKey',
    description:
      'Rejects an API key of the configuration or the store in all processes, within two seconds, until it is enabled. Calls under way go on.',
    role: 'operator',
    action: 'key.disable',
    input: builder.inputType('DisableKeyInput', {
      fields: (t) => ({
        id: t.id({ required: true }),
        reason: t.string({ required: true, description: 'For the audit record.' }),
      }),
    }),
    success: addRecordPayload(builder, 'DisableKeySuccess', 'key', key),
    target,
    run: (input, { services }) => switchKey(services, input.id, false, input.reason),
  })
  addAct(builder, {
    name: 'enableKey',
    description: 'Accepts a disabled API key again in all processes, within two seconds.',
    role: 'operator',
    action: 'key.enable',
    input: builder.inputType('EnableKeyInput', {
      fields: (t) => ({
        id: t.id({ required: true }),
        reason: t.string({ description: 'For the audit record.' }),
      }),
    }),
    success: addRecordPayload(builder, 'EnableKeySuccess', 'key', key),
    target,
    run: ({ id }, { services }) => switchKey(services, id, true),
  })
  addAct(builder, {
    name: 'revokeKey',
    description: 'Revokes an API key for ever, with each of its secrets.',
    role: 'admin',
    action: 'key.revoke',
    input: builder.inputType('RevokeKeyInput', {
      fields: (t) => ({
        id: t.id({ required: true }),
        reason: t.string({ required: true, description: 'For the audit record.' }),
      }),
    }),
    success: addRecordPayload(builder, 'RevokeKeySuccess', 'key', key),
    target,
    run: ({ id }, context) =>
      changeKey(id, context, async (before) => {
        const after = await revokeKey(context.services.running.store, id)
        const wasRevoked = before?.disabled ?? false
        const changes = changesOf({ revoked: wasRevoked }, { revoked: true })
        return { after: readKey({ id, value: after }), changes }
      }),
  })
}

/** `without` says which input means that the key has no such setting. */
function settingsFields(
  builder: AdminBuilder,
  t: InputFields,
  label: InputRef<Label>,
  without: string,
) {
  return {
    models: t.stringList({ description: `Names and patterns. ${without}: all models.` }),
    team: t.id({ description: `The team that it belongs to. ${without}: none.` }),
    labels: t.field({ type: [label], description: `Words about it. ${without}: none.` }),
    expiresAt: t.field({
      type: 'DateTime',
      description: `${without}: never. A past time ends it at once.`,
    }),
    explain: t.boolean({ description: 'Whether its callers may see how calls are routed.' }),
    losses: t.field({ type: enumsOf(builder).losses }),
    errors: t.field({ type: enumsOf(builder).errors }),
  }
}

/** The settings of a key that an operator may write. */
interface Settings {
  readonly models?: string[] | null | undefined
  readonly team?: string | null | undefined
  readonly labels?: readonly Label[] | null | undefined
  readonly expiresAt?: number | null | undefined
  readonly explain?: boolean | null | undefined
  readonly losses?: LossPolicy | null | undefined
  readonly errors?: ErrorForm | null | undefined
}

async function create(
  { id, ...input }: Settings & { id: string },
  { services, principal }: AdminContext,
): Promise<ActResult<{ key: KeyView; secret: string }>> {
  const managed = keyOfFile(services, id)
  if (managed) return managed
  const labels = input.labels && labelsOf(input.labels)
  const problems = checkKeyInput({ id, ...input, labels })
  if (problems.length > 0) return invalid(problems)
  const lacking = typeof input.team === 'string' && (await unknownTeam(services, input.team))
  if (lacking) return lacking
  const wanted = defined({
    models: input.models ?? undefined,
    team: input.team ?? undefined,
    labels: labels ?? undefined,
    expiresAt: input.expiresAt ?? undefined,
    explain: input.explain ?? undefined,
    losses: input.losses ?? undefined,
    errors: input.errors ?? undefined,
  })
  try {
    const { key, secret } = await createKey(services.running.store, {
      id,
      ...wanted,
      createdBy: actorOf(principal),
    })
    return {
      done: { key: await changedKeyView(services, key), secret },
      changes: { after: wanted },
    }
  } catch (error) {
    return keyFailure(error, id)
  }
}

async function update(
  {
    id,
    expectedVersion,
    labels,
    models,
    team,
    expiresAt,
    explain,
    losses,
    errors,
  }: Settings & {
    id: string
    expectedVersion?: number | null | undefined
  },
  context: AdminContext,
): Promise<ActResult<{ key: KeyView }>> {
  const change = defined({
    models,
    team,
    labels: labels && labelsOf(labels),
    expiresAt,
    explain,
    losses,
    errors,
  })
  const problems = checkKeyInput(change)
  return await changeKey(id, context, async (before) => {
    if (problems.length > 0) return invalid(problems)
    const lacking = typeof team === 'string' && (await unknownTeam(context.services, team))
    if (lacking) return lacking
    const { store } = context.services.running
    const after = await updateKey(store, id, change, expectedVersion ?? undefined)
    return {
      after,
      changes: changesOf(before && settingsOf(before, change), settingsOf(after, change)),
    }
  })
}

async function rotate(
  input: {
    id: string
    graceSeconds?: number | null | undefined
    expectedVersion?: number | null | undefined
    reason?: string | null | undefined
  },
  context: AdminContext,
): Promise<ActResult<{ key: KeyView; secret: string }>> {
  const { id, graceSeconds, expectedVersion } = input
  const seconds = graceSeconds ?? 0
  let secret = ''
  const result = await changeKey(id, context, async () => {
    if (seconds < 0 || seconds > longestGraceSeconds) return invalid([badGrace])
    if (seconds === 0 && typeof input.reason !== 'string') return invalid([noReason])
    const issued = await rotateKey(context.services.running.store, id, {
      graceMs: seconds * 1_000,
      expectedVersion: expectedVersion ?? undefined,
    })
    secret = issued.secret
    const until = issued.key.previous?.until
    const after = { secret: 'changed', ...(until && { graceUntil: new Date(until).toISOString() }) }
    return { after: issued.key, changes: changesOf(undefined, after) }
  })
  return 'failure' in result ? result : { ...result, done: { ...result.done, secret } }
}

const noReason = {
  path: 'input.reason',
  message: 'is missing: without a grace period the former secret ends at once',
  fix: 'say why, or set graceSeconds',
}

const badGrace = {
  path: 'input.graceSeconds',
  message: 'is not from 0 to 2592000',
  fix: 'use at most 30 days',
}

/** Changes a stored key, unless the store lacks it or the configuration file has it. */
async function changeKey(
  id: string,
  { services }: AdminContext,
  change: (before: KeyRecord | undefined) => Promise<ActFailure | KeyChanged>,
): Promise<ActResult<{ key: KeyView }>> {
  const managed = keyOfFile(services, id)
  if (managed) return managed
  try {
    const before = isRecordId(id) ? await getKey(services.running.store, id) : undefined
    if (!before) return notFound('API key', id)
    const changed = await change(before)
    if ('failure' in changed) return changed
    return {
      done: { key: await changedKeyView(services, changed.after) },
      changes: changed.changes,
    }
  } catch (error) {
    return keyFailure(error, id)
  }
}

interface KeyChanged {
  readonly after: KeyRecord
  readonly changes: ReturnType<typeof changesOf>
}

/** The last of two labels of one name counts. No member of all objects stands for a label. */
function labelsOf(labels: readonly Label[]): Labels {
  return Object.fromEntries(labels.map(({ name, value }) => [name, value]))
}

function changesOf(
  before: Record<string, unknown> | undefined,
  after: Record<string, unknown>,
): { before?: Record<string, unknown>; after: Record<string, unknown> } {
  return before ? { before, after } : { after }
}
