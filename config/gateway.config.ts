import { tmpdir } from 'node:os'

import { hasClients } from '../src/contract/dialect.ts'
import { accessLog } from '../plugins/access-log.ts'
import { accountHealth } from '../plugins/account-health/index.ts'
import { affinity } from '../plugins/affinity/index.ts'
import { apiKeys } from '../plugins/api-keys.ts'
import { attemptWarnings } from '../plugins/attempt-warnings.ts'
import { bindings } from '../plugins/bindings/index.ts'
import { audio } from '../plugins/dialects/audio/index.ts'
import { chat } from '../plugins/dialects/chat/index.ts'
import { completions } from '../plugins/dialects/completions/index.ts'
import { converse } from '../plugins/dialects/converse/index.ts'
import { embedContent } from '../plugins/dialects/embed-content/index.ts'
import { embeddings } from '../plugins/dialects/embeddings/index.ts'
import { files } from '../plugins/dialects/files/index.ts'
import { cachedContents } from '../plugins/dialects/generate/caches/index.ts'
import { generate } from '../plugins/dialects/generate/index.ts'
import { images } from '../plugins/dialects/images/index.ts'
import { messageBatches } from '../plugins/dialects/messages/batches/index.ts'
import { messages } from '../plugins/dialects/messages/index.ts'
import { messageFiles } from '../plugins/dialects/messages/stored-files/index.ts'
import { moderations } from '../plugins/dialects/moderations/index.ts'
import { predict } from '../plugins/dialects/predict/index.ts'
import { realtime } from '../plugins/dialects/realtime/index.ts'
import { rerank } from '../plugins/dialects/rerank/index.ts'
import { responses } from '../plugins/dialects/responses/index.ts'
import { uploads } from '../plugins/dialects/uploads/index.ts'
import { videoOperations } from '../plugins/dialects/video-operations/index.ts'
import { videos } from '../plugins/dialects/videos/index.ts'
import { explain } from '../plugins/explain.ts'
import { type HealthDetails, health, adminHealth } from '../plugins/health.ts'
import { type MetricsText, metricsEndpoint } from '../plugins/metrics.ts'
import { limits } from '../plugins/limits/index.ts'
import { models } from '../plugins/models/index.ts'
import { openApi } from '../plugins/openapi.ts'
import { passthrough } from '../plugins/passthrough.ts'
import { publicPage } from '../plugins/public-page.ts'
import { providers } from '../plugins/providers/index.ts'
import { proxyTest } from '../plugins/proxy-test.ts'
import type { Account } from '../src/contract/account.ts'
import { createEphemeralKeys, ephemeralKeysNamespace } from '../src/accounts/ephemeral-keys.ts'
import { createLimitSet } from '../src/limits/limit-set.ts'
import type { Job } from '../src/jobs/job.ts'
import { createJobs, jobsNamespace } from '../src/jobs/jobs.ts'
import { type StoredObject, createObjects, objectsNamespace } from '../src/jobs/objects.ts'
import { type OpenJob, createOpenJobs, openJobsNamespace } from '../src/jobs/open-jobs.ts'
import type { GatewayPlugin } from '../src/contract/plugin.ts'
import type { PipelineServices } from '../src/runtime/pipeline.ts'
import { createUploads } from '../src/storage/uploads.ts'
import { bindingsNamespace, createBindings } from '../src/stores/bindings.ts'

export type { PipelineServices }

/** The shipped pipeline. Its plugins run from top to bottom. */
export default function pipeline(services: PipelineServices): GatewayPlugin[] {
  const { log, now, store } = services
  const binding = bindings({
    ...services,
    bindings: createBindings(store.records(bindingsNamespace, { isPlain: true })),
  })
  const openJobs = createOpenJobs({
    ...services,
    records: store.records<OpenJob>(openJobsNamespace, { listed: true }),
  })
  const counted = limits({
    ...services,
    ...(services.limits ?? noLimits),
    meter: store.meter(),
    alerts: store.records('limit-alerts'),
    openJobs,
  })
  const accounts = accountHealth({ ...services, limits: counted.accounts })
  const preference = affinity({ ...services, records: store.records('affinities') })
  const details: HealthDetails = async ({ accounts: configured, reader }) => {
    const spool = await services.health.spool?.()
    const circuits = circuitsOf(accounts, configured)
    const invalid = services.health.invalidAccounts?.() ?? 0
    const probes = reader === 'operator' ? await services.health.probes?.() : undefined
    const defects = reader === 'operator' ? services.health.defects?.() : undefined
    return {
      ...(defects !== undefined && { defects }),
      ...(probes && Object.keys(probes).length > 0 && { plugins: probes }),
      bindings: { waiting: binding.state.waiting, lost: binding.state.lost },
      jobs: { waiting: jobs.waiting + objects.waiting },
      limits: { waiting: counted.state.waiting, lost: counted.state.lost },
      keys: { unreadable: services.keys.unreadable ?? 0 },
      ...(invalid > 0 && { accounts: { invalid } }),
      ...(spool && { spool }),
      circuits: {
        ...countsOf(circuits),
        ...(reader === 'operator' && { accounts: circuits.slice(0, mostCircuits) }),
      },
      affinity: {
        failed_reads: preference.state.failedReads,
        failed_writes: preference.state.failedWrites,
      },
      ...(reader === 'operator' && (await services.health.cluster?.())),
    }
  }
  const storages = services.plugins?.flatMap((plugin) => plugin.storages ?? []) ?? []
  const uploading = createUploads({
    ...(now && { now }),
    ...services.uploads,
    log,
    store,
    storages,
  })
  const jobs = createJobs({
    ...services,
    records: store.records<Job>(jobsNamespace, { listed: true }),
  })
  const objects = createObjects({
    ...services,
    records: store.records<StoredObject>(objectsNamespace, { listed: true }),
  })
  const dialects = () => plugins.flatMap((plugin) => plugin.dialects ?? []).filter(hasClients)
  const plugins: GatewayPlugin[] = [
    accessLog(services),
    attemptWarnings(services),
    explain(),

    health(services.health, details),
    proxyTest({ store, now }),
    responses(),
    chat(),
    messages(),
    generate(),
    converse(),
    completions(),
    embeddings(),
    embedContent(),
    predict(),
    rerank(),
    moderations(),
    images({
      log,
      files: uploading.files,
      ...(uploading.results && { results: uploading.results }),
      ...(now && { now }),
      ...(services.imageModels && { images: services.imageModels }),
    }),
    videos({ jobs, files: uploading.files, ...(now && { now }) }),
    files({ objects, openJobs, dialects, ...(now && { now }) }),
    messageBatches({
      objects,
      openJobs,
      dialects,
      publicUrl: services.uploads?.publicUrl,
      ...(now && { now }),
    }),
    messageFiles({ objects, bindings: binding.known, ...(now && { now }) }),
    cachedContents({ objects, ...(now && { now }) }),
    videoOperations({
      jobs,
      files: uploading.files,
      ...(now && { now }),
      ...(services.uploads?.publicUrl && { publicUrl: services.uploads.publicUrl }),
    }),
    audio(),
    uploads({ uploads: uploading }),
    passthrough({ routes: services.passthrough ?? [] }),
    providers(),
    models(services),
    publicPage(),
    openApi({ dialects }),

    // Before the user's plugins, so that no answer of theirs is beside the limits.
    counted.plugin,
    // Before `apiKeys`, so that the user's plugins can authenticate callers in other ways.
    ...(services.plugins ?? []),
    apiKeys(services),
    // Behind `apiKeys`: ephemeral keys are looked up where no other key is meant.
    realtime({
      ephemeral: createEphemeralKeys({
        ...services,
        records: store.records(ephemeralKeysNamespace),
      }),
      ...(now && { now }),
    }),

    accounts,
    preference,
    binding,
  ]
  services.share?.({ bindings: binding.known, jobs, objects, openJobs, limits: counted.state })
  return plugins
}

/** A pipeline that serves no calls counts none. */
const noLimits = { limits: createLimitSet(), spool: tmpdir(), storeUrl: 'memory:' }

/** Circuits that `/readyz?verbose` names. An account may have one for each model and key. */
const mostCircuits = 100

/** The circuits of accounts that are not closed, as `/readyz?verbose` shows them. */
function circuitsOf(health: GatewayPlugin, accounts: readonly Account[]) {
  const found = (health.exclusions?.(accounts) ?? []).filter(({ kind }) => kind === 'circuit')
  return found.map(
    ({ account, dialect: family, model, keyId: key, reason, isProbing, untilMs }) => ({
      account,
      family,
      ...(model !== undefined && { model }),
      ...(key !== undefined && { key }),
      state: isProbing ? 'half-open' : 'open',
      reason,
      ...(untilMs !== undefined && { open_ms: untilMs - Date.now() }),
    }),
  )
}

function countsOf(circuits: readonly { readonly state: string }[]) {
  const open = circuits.filter(({ state }) => state === 'open').length
  return { open, half_open: circuits.length - open }
}

/** The pipeline of the admin address: the health of the gateway that has `plugins`, and its metrics. */
export function adminPipeline(
  services: Pick<PipelineServices, 'health'> & { readonly metrics?: MetricsText | undefined },
  plugins: readonly GatewayPlugin[],
): GatewayPlugin[] {
  const { health: state, metrics } = services
  return [adminHealth(state, plugins), ...(metrics ? [metricsEndpoint(metrics)] : [])]
}
