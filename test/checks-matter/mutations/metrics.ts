import { checksOf, removed } from '../mutation.ts'

const folder = 'src/telemetry/metrics'
const of = (name: string) => [`test/telemetry/metrics/${name}.test.ts`]

/** What metrics count, what no client can do to them, and who may read them. */
export const metricChecks = [
  ...checksOf('walks', `${folder}/model-labels.ts`, of('cardinality'), {
    'metrics: a name that a client chose is no label': [
      "if (name === '' || names.has(name)) return name\n    const label",
      'if (name.length > 0) return name\n    const label',
    ],
    'metrics: a date behind a model is no label': ['withoutVersion(name)', 'name'],
  }),
  ...checksOf('walks', `${folder}/http-labels.ts`, of('cardinality'), {
    'metrics: a method that a client made up is no label': [
      "methods.has(method) ? method : '_OTHER'",
      'method',
    ],
    'metrics: an unknown path has no route': [
      "operation === undefined ? '' :",
      "operation === undefined ? '/x1 ' :",
    ],
  }),
  ...checksOf('walks', `${folder}/registry.ts`, of('serialize'), {
    'metrics: series have a limit': ['all.length >= limit', 'all.length >= 1e9'],
    'metrics: what is no amount does not count': ['if (!(value >= 0)) return', ''],
  }),
  ...checksOf('walks', `${folder}/serialize.ts`, of('serialize'), {
    'metrics: labels are escaped': ['="${escapeValue(value)}"', '="${value}"'],
    'metrics: a long scrape leaves others their turns': [
      'if (turns.isOver) await turns.next()',
      '',
    ],
  }),
  ...checksOf('walks', `${folder}/recorder.ts`, of('walk'), {
    'metrics: a failover names the model and the reason': [
      'if (attempt.number > 1) countFailover(',
      'if (attempt.number > 2) countFailover(',
    ],
  }),
  ...checksOf('walks', `${folder}/call-series.ts`, of('walk'), {
    'metrics: a stream says how it ended': [
      "reason === 'completed' ? completed() : streamsEnded.series(dialect.id, reason)",
      'completed()',
    ],
  }),
  ...checksOf('walks', `${folder}/usage-series.ts`, of('walk'), {
    'metrics: no part of the tokens is more than the whole': [' || amount > rest', ''],
    'metrics: tokens of audio are not counted twice': ['rest -= amount', 'rest -= 0'],
  }),
  ...checksOf('walks', `${folder}/account-states.ts`, of('state'), {
    'metrics: an exclusion for one key is none of the account': [
      'one.keyId === undefined && circuitOf(one) !== 1',
      'circuitOf(one) !== 1',
    ],
  }),
  ...checksOf('walks', `${folder}/account-states.ts`, of('walk'), {
    'metrics: an account at its limit is not kept out': ["by === slotRule ? 'busy' : kind", 'kind'],
  }),
  ...checksOf('walks', `${folder}/index.ts`, of('state'), {
    'metrics: the state of many accounts is read in turns': [
      'await finishInTurns(readState(sources, recorder.poolOf))',
      'await (async () => { const steps = readState(sources, recorder.poolOf); for (;;) { const step = steps.next(); if (step.done) return step.value } })()',
    ],
  }),
  ...checksOf('walks', `${folder}/account-pools.ts`, of('state'), {
    'metrics: accounts and their pools have a limit': [
      'if (available.length + own.size > mostPoolSeries) return undefined',
      '',
    ],
    'metrics: the longest pattern of an account takes a name of others': [
      'one.length > best.length ? one : best',
      'best || one',
    ],
    'metrics: a call that its account has no pool for is one of none': ['|| other', '|| pool'],
    'metrics: an account is kept out for a model by its own name of it': [
      'models.upstreamName(pool) ?? pool',
      'pool',
    ],
    'metrics: a model that an account names twice is one pool': [
      'const own = new Set(poolsOf(state))',
      'const own = Object.assign(new Set(poolsOf(state)), { [Symbol.iterator]: () => poolsOf(state).values() })',
    ],
  }),
  ...checksOf('walks', `${folder}/recorder.ts`, of('walk'), {
    'metrics: calls in flight have the label of their model': [
      "return labelsOf(snapshot).requested(model?.name || (job?.model.name ?? ''))",
      "return labelsOf(snapshot).requested(job?.model.name ?? '')",
    ],
  }),
  ...checksOf('walks', `${folder}/model-availability.ts`, of('state'), {
    'metrics: an account with a pattern serves a name': [
      'if (!isAvailable && !isPattern(name) && matches(name)) available.set(name, true)',
      '',
    ],
    'metrics: models of disabled accounts are left out': ['if (!enabled) continue', ''],
  }),
  ...checksOf('stores', `${folder}/job-counts.ts`, of('state'), {
    'metrics: jobs are counted to a limit': ['examined < mostJobs', 'examined < 50_000'],
    'metrics: a silent store holds no scrape up': [
      'Promise.race([counting, afterwards(patienceMs)])',
      'counting',
    ],
  }),
  ...checksOf('walks', `${folder}/otlp.ts`, of('otlp'), {
    'metrics: a silent collector delays no end': [
      'Promise.race([final, afterwards(last.left())])',
      'final',
    ],
    'metrics: an outage of the collector is logged once': [
      'if (!error || performance.now() - failedAt < outageMs) return',
      'if (!error) return',
    ],
  }),
  ...checksOf('admin', 'src/admin/server.ts', of('access'), {
    'metrics: a token is required where the configuration says so': [
      'if (path !== readinessPath && requireToken === true) return false',
      '',
    ],
    'metrics: no token is required where the configuration says so': [
      'if (path === metricsPath && requireToken === false) return true',
      '',
    ],
  }),
  ...checksOf('admin', 'src/cli/worker-metrics.ts', ['test/cli/metrics.test.ts'], {
    'metrics: sums of a worker that ended stay': [
      'if (known) retired = mergeSnapshots([retired, lastingPart(known, definitions)], definitions)',
      '',
    ],
  }),
  ...checksOf('admin', 'plugins/metrics.ts', of('access'), {
    'metrics: part of the processes is no answer': ['.catch(unavailable)', ".catch(() => '')"],
  }),
  ...checksOf('errors', 'src/telemetry/error-types.ts', ['test/telemetry/error-types.test.ts'], {
    ...removed({
      'error.type: causes in a circle end': 'if (depth === deepestCause) return undefined',
    }),
    'error.type: no provider makes up a status': [
      "return statuses.get(status) ?? '_OTHER'",
      'return `${status}`',
    ],
  }),
]
