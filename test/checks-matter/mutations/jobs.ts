import { checksOf, removed } from '../mutation.ts'

const stores = ['test/jobs/stores.test.ts']
const unwritten = ['test/jobs/unwritten.test.ts']
const status = ['test/walks/videos/status.test.ts']
const once = ['test/walks/videos/once.test.ts']
const content = ['test/walks/videos/content.test.ts']
const streaming = ['test/walks/videos/streaming.test.ts']
const remix = ['test/walks/videos/remix.test.ts']
const create = ['test/walks/videos/create.test.ts']
const atOnce = ['test/walks/videos/polls-at-once.test.ts']
const safely = ['test/walks/videos/told-safely.test.ts']
const references = ['test/walks/videos/references.test.ts']
const extended = ['test/walks/operations/extended.test.ts']
const hooks = ['test/walks/videos/hooks.test.ts']
const broken = ['test/walks/operations/broken-downloads.test.ts']
const ownFiles = ['test/walks/operations/whose-file.test.ts']
const types = ['test/walks/operations/file-types.test.ts']
const failures = ['test/walks/operations/poll-failures.test.ts']
const names = ['test/walks/operations/names.test.ts']
const results = ['test/walks/operations/results.test.ts']
const elsewhere = ['test/walks/operations/elsewhere.test.ts']
const both = ['test/walks/videos/both-dialects.test.ts', 'test/walks/videos/other-dialect.test.ts']

/** Work that goes on after its answer. */
export const jobChecks = [
  ...checksOf('kept', 'src/jobs/jobs.ts', [...stores, ...unwritten], {
    'job: what waits to be written is its key’s alone': [
      'job?.keyId === keyId ? job : undefined',
      'job',
    ],
    'job: an expired one is gone': [
      '      return job && isLive(job) ? job : undefined',
      '      return job',
    ],
    'job: an expired one is not listed': [
      '\n    return job && isLive(job) ? job : undefined',
      '\n    return job',
    ],
    'job: a list ends with its key’s': ['if (!id.startsWith(prefix)) return', ''],
    'job: what the store does not take waits': ['waiting.put(job.id, job, storedSizeOf(job))', ''],
    'job: a store that cannot tell is no answer': [
      "throw new GatewayError('lookup_unavailable'",
      "throw new GatewayError('not_found'",
    ],
  }),
  ...checksOf('kept', 'src/attempt/attempt.ts', once, {
    'job: it is ordered once': ['return mayHaveBeenBilled(', 'return false && mayHaveBeenBilled('],
  }),
  ...checksOf('kept', 'src/attempt/failover.ts', once, {
    'job: who has not begun is passed over': [
      'httpStatus === 429 || httpStatus === 503',
      'httpStatus === 0',
    ],
  }),
  ...checksOf('kept', 'src/attempt/account-client.ts', status, {
    'job: looks are held against nobody': ["fault === 'account' ? 'none' : fault", 'fault'],
  }),
  ...checksOf('kept', 'src/attempt/account-client.ts', ['test/walks/videos/uncounted.test.ts'], {
    'job: looks are no evidence for anybody': [
      "if (isNamed) enterCall(exchange, { ...call, model: '' })",
      '',
    ],
  }),
  ...checksOf('kept', 'src/attempt/account-client.ts', hooks, {
    'job: a plugin that declines is told of': ['error instanceof Declined', 'false'],
  }),
  ...checksOf('kept', 'src/upstream/attempt-once.ts', hooks, {
    'job: what no hook took is let go': ['handler.abandonFor(kept)', 'void handler'],
  }),
  ...checksOf(
    'kept',
    'src/upstream/content-reader.ts',
    broken,
    removed({
      'job: a part is no whole video': 'if (status !== 200) throw unusableReply(status)',
      'job: what is too large is not read': 'this.#checkSize(size)',
    }),
  ),
  ...checksOf('kept', 'src/upstream/find-file.ts', ownFiles, {
    'job: the account’s own host is no other': ['place.origin === origin', 'false'],
  }),
  ...checksOf('kept', 'plugins/dialects/video-operations/codec.ts', ownFiles, {
    'job: a file of another host is not the account’s': [
      '/^(?:\\/?v\\d\\w*\\/)?files',
      '/(?:^|\\/)files',
    ],
  }),
  ...checksOf('kept', 'src/jobs/content-headers.ts', types, {
    'job: a page is told as none': [
      "isMedia || essence === 'application/json' ? type",
      'true || isMedia ? type',
    ],
  }),
  ...checksOf('kept', 'src/exchange/headers.ts', types, {
    'job: a compressed file is told as one': [
      "  'content-encoding',\n  'content-length',\n  'content-range'",
      "  'content-length',\n  'content-range'",
    ],
  }),
  ...checksOf('kept', 'src/jobs/lookup-failures.ts', failures, {
    'job: a failing account is told of once a minute': [
      'now() - last.loggedAt < everyMs',
      'now() - last.loggedAt < 0',
    ],
  }),
  ...checksOf('kept', 'src/jobs/refresh-job.ts', status, {
    'job: an account that does not answer is stale': [
      'return { job, stale: true }',
      'return { job, stale: false }',
    ],
  }),
  ...checksOf(
    'kept',
    'src/jobs/content.ts',
    content,
    removed({
      'job: content is of completed videos':
        "if (job.status !== 'completed') throw notCompleted(job)",
      'job: what is not ready is to be asked for again':
        'if (status === codec.notReady && age < settlingSeconds) throw notReady()',
    }),
  ),
  ...checksOf('kept', 'src/upstream/content-relay.ts', streaming, {
    'job: a slow client holds the account back': [
      "if (!this.#stream.write(chunk)) this.pause('client')",
      'this.#stream.write(chunk)',
    ],
    'job: a file that breaks off is no whole one': [
      'this.#stream.reset(error, () => this.exchange.client.reset())',
      'this.#stream.finish()',
    ],
  }),
  ...checksOf('kept', 'src/upstream/redirects.ts', elsewhere, {
    'job: another host is told nothing of the account': [
      'headers: Object.fromEntries(passed) as Record<string, string>',
      'headers',
    ],
  }),
  ...checksOf('kept', 'src/remote/client.ts', elsewhere, {
    'job: another host has to be permitted': [
      'dial(url, { ...settings, permits })',
      'dial(url, { ...settings, permits: () => true })',
    ],
  }),
  ...checksOf('kept', 'src/jobs/state.ts', atOnce, {
    'job: it never runs backwards': ['isOver(job) || isOlder(state, job)', 'isOver(job)'],
    'job: what is over stays so': ['isOver(job) || isOlder(state, job)', 'isOlder(state, job)'],
  }),
  ...checksOf('kept', 'src/jobs/sanitize-state.ts', safely, {
    'job: an account’s secret is told to nobody': [
      'redact(text, account).slice(0, length)',
      'text.slice(0, length)',
    ],
    'job: an account’s secret is in no further field': ['redactValue(extras, account)', 'extras'],
    'job: an account is cut short': [
      'redact(text, account).slice(0, length)',
      'redact(text, account)',
    ],
  }),
  ...checksOf('kept', 'plugins/dialects/videos/reference-edits.ts', references, {
    'job: a reference is what its bytes show': ['filename, type })', 'filename, type: declared })'],
  }),
  ...checksOf('kept', 'plugins/dialects/video-operations/sources.ts', extended, {
    'job: only one instance has a source': ['if (other >= 0) throw', 'if (other > 9) throw'],
  }),
  ...checksOf(
    'kept',
    'src/jobs/create-video.ts',
    remix,
    removed({
      'job: a remix is of completed videos':
        "if (job.status !== 'completed') throw notCompleted(job)",
    }),
  ),
  ...checksOf(
    'kept',
    'plugins/dialects/videos/remix.ts',
    remix,
    removed({
      'job: a remix has the model of its source':
        'if (model !== undefined) rejectOtherModel(model, source, exchange)',
    }),
  ),
  ...checksOf('kept', 'plugins/dialects/videos/reply.ts', [...status, ...create], {
    'job: one that waits is queued for SDKs': [
      "isStainless(headers) ? 'queued' : 'pending'",
      "'pending'",
    ],
    'job: one that waits is pending for others': [
      "isStainless(headers) ? 'queued' : 'pending'",
      "'queued'",
    ],
    'job: fields of the account are for its own dialect': [
      "...(job.dialect === 'videos' && job.extras)",
      '...job.extras',
    ],
  }).map((mutation) => ({ ...mutation, tests: [...mutation.tests, ...both] })),
  ...checksOf('kept', 'plugins/dialects/video-operations/names.ts', names, {
    'job: the project of a name': ['project === undefined || project === place.project', 'true'],
    'job: the location of a name': [
      'location === undefined || location === place.location',
      'true',
    ],
    'job: the model of a name': ['model === undefined || ', 'true || '],
  }),
  ...checksOf('kept', 'plugins/dialects/video-operations/reply.ts', results, {
    'job: a withheld video is no error': ['job.error && !job.withheld', 'job.error'],
  }),
]
