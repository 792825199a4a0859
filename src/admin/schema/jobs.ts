import type { ObjectRef } from '@pothos/core'

import { type KnownJobs, findJob, knownJobsIn } from '../../jobs/known-jobs.ts'
import type { JobCounts, ShownJob } from '../../jobs/shown-job.ts'
import { addAct } from '../act.ts'
import type { AdminBuilder, AdminTypes } from '../builder.ts'
import { complexityOfWalk, effortOfWalk, namedAfter } from '../connections.ts'
import type { AdminContext } from '../context.ts'
import { type ActFailure, conflict, notFound, storeUnavailable } from '../failures.ts'
import {
  type RefreshedJob,
  cancelJob,
  jobReadsOf,
  forgetJob,
  refreshAnyJob,
  walkFilteredJobs,
} from '../jobs.ts'
import { readStore } from '../read-store.ts'
import { badInput } from '../store-errors.ts'
import { isUnavailable } from '../store-errors.ts'
import { edgesOf } from './edges.ts'
import { type ScanRange, scanPage } from '../scan-page.ts'
import { addIdPayload } from './payloads.ts'

/** Adds the jobs: list, look-up, and the acts that refresh, cancel and forget one. */
export function addJobs(builder: AdminBuilder): void {
  const authScopes = { viewer: true }
  const state = builder.enumType('JobState', {
    description: 'The state of a job, as the account last reported it.',
    values: {
      QUEUED: { value: 'queued' },
      IN_PROGRESS: { value: 'in_progress' },
      COMPLETED: { value: 'completed' },
      FAILED: { value: 'failed' },
      CANCELLED: {
        value: 'cancelled',
        description: 'A batch or a response that was cancelled; videos cannot be.',
      },
    } as const,
  })
  const kind = builder.enumType('JobKind', {
    values: {
      VIDEO: { value: 'video' },
      BATCH: { value: 'batch', description: 'A batch of `/v1/batches`.' },
      MESSAGE_BATCH: { value: 'message-batch', description: 'A batch of `/v1/messages/batches`.' },
      RESPONSE: {
        value: 'response',
        description:
          'A response of `/v1/responses` in the background, which is a job until its end.',
      },
    } as const,
  })
  const counts = builder.objectRef<JobCounts>('JobCounts').implement({
    description: 'The requests of a batch.',
    authScopes,
    fields: (t) => ({
      total: t.exposeInt('total'),
      completed: t.exposeInt('completed'),
      failed: t.exposeInt('failed', { description: 'Cancelled and expired ones, too.' }),
    }),
  })
  const error = builder.objectRef<NonNullable<ShownJob['error']>>('JobError').implement({
    description: 'Why a job has failed, as its account says.',
    authScopes,
    fields: (t) => ({ code: t.exposeString('code'), message: t.exposeString('message') }),
  })
  const job = builder.objectRef<ShownJob>('Job').implement({
    description:
      'Work of an account that outlasts its call. The prompt and the result are never returned.',
    authScopes,
    fields: (t) => ({
      id: t.exposeID('id', {
        description: 'Without what the dialects put before it; of a response as clients know it.',
      }),
      kind: t.expose('kind', { type: kind }),
      state: t.expose('status', { type: state }),
      keyId: t.exposeID('keyId', { description: 'The owner.' }),
      accountId: t.exposeID('accountId'),
      upstreamId: t.exposeID('upstreamId', { description: 'The id at the account.' }),
      dialect: t.exposeString('dialect', { description: 'The dialect of the account.' }),
      model: t.exposeString('model', {
        description: 'The platform model; of a batch the model of its first request.',
      }),
      progress: t.exposeInt('progress', { description: 'From 0 to 100.' }),
      counts: t.field({ type: counts, nullable: true, resolve: (one) => one.counts }),
      error: t.field({ type: error, nullable: true, resolve: (one) => one.error }),
      createdAt: t.field({ type: 'DateTime', resolve: ({ createdAt }) => createdAt * 1_000 }),
      completedAt: t.field({
        type: 'DateTime',
        nullable: true,
        resolve: ({ completedAt }) => completedAt && completedAt * 1_000,
      }),
      expiresAt: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'When its record expires. Null: its record stays.',
        resolve: ({ expiresAt }) => expiresAt && expiresAt * 1_000,
      }),
      ...edgesOf(t, {
        account: ({ accountId }) => accountId,
        key: ({ keyId }) => keyId,
        model: (one) => one.model,
      }),
    }),
  })
  const filter = builder.inputType('JobFilter', {
    description: 'All that are given must apply.',
    fields: (t) => ({
      keyId: t.id(),
      accountId: t.id(),
      kind: t.field({ type: kind }),
      state: t.field({ type: state }),
    }),
  })
  builder.queryField('jobs', (t) =>
    t.connection(
      {
        type: job,
        // While the store is away, the others of the operation are answered.
        nullable: true,
        description:
          'First the videos, then the batches, then the responses in the background, in the order of the ids of their keys, of videos and batches the newest of a key first. A page examines ' +
          'some 2,000 jobs: it may be short or empty and have a next page.',
        authScopes,
        complexity: complexityOfWalk,
        args: { filter: t.arg({ type: filter }) },
        resolve: (_root, { filter: given, ...page }, context) => {
          const wanted = {
            keyId: given?.keyId ?? undefined,
            accountId: given?.accountId ?? undefined,
            kind: given?.kind ?? undefined,
            status: given?.state ?? undefined,
          }
          const jobs = jobsOf(context)
          const reading = {
            perRead: jobReadsOf(wanted),
            read: (part: ScanRange) => walkFilteredJobs(jobs, wanted, part),
          }
          return readStore(context, (signal) => scanPage(page, reading, signal))
        },
      },
      ...namedAfter('Job'),
    ),
  )
  builder.queryField('job', (t) =>
    t.field({
      type: job,
      nullable: true,
      description: 'The job of an id; null for an unknown id, and for an expired job.',
      authScopes,
      // Without its key, the job is looked for under each key.
      complexity: ({ keyId }) => (keyId ? 1 : effortOfWalk),
      args: {
        id: t.arg.id({
          required: true,
          description: 'As clients know it, with or without what the dialects put before it.',
        }),
        keyId: t.arg.id({ description: 'Its owner. Absent: looked for under each key with jobs.' }),
      },
      resolve: (_root, { id, keyId }, context) =>
        lookUp(context, { id, keyId: keyId ?? undefined }),
    }),
  )
  const refreshed = builder.objectRef<RefreshedJob>('RefreshJobSuccess').implement({
    authScopes,
    fields: (t) => ({
      job: t.field({ type: job, nullable: true, resolve: (one) => one.job }),
      stale: t.exposeBoolean('stale', {
        description: 'Whether the account did not answer: then the state is the stored one.',
      }),
    }),
  })
  addRefresh(builder, refreshed)
  addCancel(
    builder,
    builder.objectRef<{ readonly job: ShownJob }>('CancelJobSuccess').implement({
      authScopes,
      fields: (t) => ({ job: t.field({ type: job, nullable: true, resolve: (one) => one.job }) }),
    }),
  )
  addForget(builder)
}

function addRefresh(
  builder: AdminBuilder,
  success: ObjectRef<PothosSchemaTypes.ExtendDefaultTypes<AdminTypes>, RefreshedJob>,
): void {
  addAct(builder, {
    name: 'refreshJob',
    description: 'Asks the account for the state of a job, as a poll of its client does.',
    role: 'operator',
    action: 'job.refresh',
    input: builder.inputType('RefreshJobInput', {
      fields: (t) => ({
        id: t.id({ required: true }),
        keyId: t.id(),
        reason: t.string({ description: 'For the audit record.' }),
      }),
    }),
    success,
    target: ({ id }) => ({ type: 'job', id }),
    run: ({ id, keyId }, context) =>
      onJob(context, { id, keyId: keyId ?? undefined }, async (job, known) => {
        const { running, now } = context.services
        const done = await refreshAnyJob(running, known, job, now)
        return { done, changes: { before: stateOf(job), after: stateOf(done.job) } }
      }),
  })
}

function addCancel(
  builder: AdminBuilder,
  success: ObjectRef<PothosSchemaTypes.ExtendDefaultTypes<AdminTypes>, { readonly job: ShownJob }>,
): void {
  addAct(builder, {
    name: 'cancelJob',
    description:
      'Cancels a batch, or a response in the background, at its account. A video cannot be cancelled.',
    role: 'operator',
    action: 'job.cancel',
    input: builder.inputType('CancelJobInput', {
      fields: (t) => ({
        id: t.id({ required: true }),
        keyId: t.id(),
        reason: t.string({ required: true, description: 'For the audit record.' }),
      }),
    }),
    success,
    target: ({ id }) => ({ type: 'job', id }),
    run: ({ id, keyId }, context) =>
      onJob(context, { id, keyId: keyId ?? undefined }, async (job, known) => {
        const { kind } = job
        if (kind === 'video') return conflict('A video cannot be cancelled.')
        const done = await cancelJob(context.services.running, known, { ...job, kind })
        return { done: { job: done }, changes: { before: stateOf(job), after: stateOf(done) } }
      }),
  })
}

function addForget(builder: AdminBuilder): void {
  addAct(builder, {
    name: 'forgetJob',
    description:
      'Forgets a video or a batch: from now on its id is unknown. The account keeps what it has.',
    role: 'operator',
    action: 'job.forget',
    input: builder.inputType('ForgetJobInput', {
      fields: (t) => ({
        id: t.id({ required: true }),
        keyId: t.id(),
        reason: t.string({ required: true, description: 'For the audit record.' }),
      }),
    }),
    success: addIdPayload(builder, 'ForgetJobSuccess'),
    target: ({ id }) => ({ type: 'job', id }),
    run: ({ id, keyId }, context) =>
      onJob(context, { id, keyId: keyId ?? undefined }, async (job, known) => {
        const { kind, keyId: owner, accountId } = job
        if (kind === 'response') return conflict('A response is charged at its end: cancel it.')
        await forgetJob(known, { ...job, kind })
        return {
          done: { id: job.id },
          changes: { before: { keyId: owner, accountId, ...stateOf(job) } },
        }
      }),
  })
}

/** A job as an operator names it. */
interface NamedJob {
  readonly id: string
  readonly keyId: string | undefined
}

function lookUp(context: AdminContext, named: NamedJob): Promise<ShownJob | undefined> {
  const jobs = jobsOf(context)
  return readStore(context, (signal) => findJob(jobs, { ...named, signal }))
}

/** Acts on a job; a store that does not answer and an unknown job are failures of the act. */
async function onJob<Result>(
  context: AdminContext,
  named: NamedJob,
  act: (job: ShownJob, known: KnownJobs) => Promise<Result>,
): Promise<Result | ActFailure> {
  try {
    const jobs = jobsOf(context)
    const job = await lookUp(context, named)
    return job ? await act(job, jobs) : notFound('job', named.id)
  } catch (error) {
    if (isUnavailable(error)) return storeUnavailable()
    throw error
  }
}

function stateOf({ status, progress }: ShownJob): { status: string; progress: number } {
  return { status, progress }
}

function jobsOf({ services: { running } }: AdminContext): KnownJobs {
  const known = knownJobsIn(running.shared)
  if (!known) throw badInput('The pipeline of this gateway shares no jobs with the admin API.')
  return known
}
