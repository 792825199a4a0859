import { checksOf, removed } from '../mutation.ts'

const walks = 'test/walks/videos'
const folder = 'plugins/dialects/videos'
const fields = [`${walks}/fields.test.ts`]
const create = [`${walks}/create.test.ts`]
const references = [`${walks}/references.test.ts`, `${walks}/reference-limits.test.ts`]
const remix = [`${walks}/remix.test.ts`, `${walks}/remix-models.test.ts`]
const status = [`${walks}/status.test.ts`]
const content = [`${walks}/content.test.ts`]
const streaming = [`${walks}/streaming.test.ts`, `${walks}/downloads-held.test.ts`]
const atOnce = [`${walks}/polls-at-once.test.ts`]
const safely = [`${walks}/told-safely.test.ts`, `${walks}/told-bounds.test.ts`]
const progress = [`${walks}/told-progress.test.ts`]
const other = [`${walks}/other-dialect.test.ts`]
const ranges = ['test/jobs/range-reply.test.ts', 'test/walks/operations/ranges.test.ts']

/** What may be asked of videos, and what is told of them. */
export const videoChecks = [
  ...checksOf('videos', `${folder}/fields.ts`, fields, {
    'a field stands once': ['if (found.has(name)) {', 'if (false) {'],
    'a field is a text': ['if (filename !== undefined) throw', 'if (false) throw'],
  }),
  ...checksOf('videos', `${folder}/request.ts`, [...fields, ...create], {
    'how long a video is': [
      'if (seconds !== undefined && !/^[1-9]\\d{0,3}$/.test(seconds)) {',
      'if (false) {',
    ],
    'how large a video is': ['if (size !== undefined && ', 'if (false && '],
    'a prompt says something': [" && prompt.trim() !== ''", ''],
    'a model has a name': [" || model.trim() === ''", ''],
    'a model that nobody has is to be named': [
      'if (!exchange.snapshot.resolve(defaultModel)) {',
      'if (false) {',
    ],
  }),
  ...checksOf('videos', `${folder}/reference.ts`, references, {
    'one reference': ['if (parts.length > 1) throw', 'if (false) throw'],
    'the size of a reference': ['if (part.end - part.start > maxImageBytes) {', 'if (false) {'],
    'either a URL or a file': [
      'if ((url === undefined) === (id === undefined)) throw wrong(referenceField, requirement)',
      '',
    ],
    'a reference without content says nothing': [' && (filename !== undefined || end > start)', ''],
  }),
  ...checksOf('videos', `${folder}/reference-edits.ts`, references, {
    'an address stands where accounts read it': [
      'reference.field !== referenceField && url',
      'url',
    ],
    'a part is called as accounts read it': [
      'part.name === name ? [] : [headEdit(form, part, { name })]',
      '[]',
    ],
    'an upload that an account can reach is named': ['if (signed !== undefined) return signed', ''],
  }),
  ...checksOf('videos', `${folder}/remix.ts`, remix, {
    'a remix is by the model of its source': [
      '?? source.model\n}',
      '?? requested ?? source.requested\n}',
    ],
    'an account is not told of the model': ["edits: removeField(body, 'model')", ''],
    'a source is the caller’s own': [
      '() => noVideo(id))\n',
      "() => new GatewayError('invalid_value', 'x'))\n",
    ],
  }),
  ...checksOf('videos', `${folder}/reply.ts`, status, {
    'an id begins as clients were told': [
      "shown.startsWith(prefix) ? shown.slice(prefix.length) : ''",
      "shown.replace(prefix, '')",
    ],
  }),
  ...checksOf('videos', `${folder}/list.ts`, status, {
    'the length of a page': ['!/^\\d{1,3}$/.test(limit) || Number(limit) < 1', 'false'],
    'the longest page': ['Number(limit) > maxLimit', 'false'],
    'the order of a page': ["if (order !== 'asc' && order !== 'desc') throw", 'if (false) throw'],
    'what a page goes on after': ['if (after !== undefined && !isJobId', 'if (false && !isJobId'],
  }),
  ...checksOf(
    'videos',
    `${folder}/codec.ts`,
    [...other, 'test/walks/operations/told-losses.test.ts'],
    {
      'one video at a time': [
        "if (samples > 1) tools.refuse('parameters",
        "if (false) tools.refuse('parameters",
      ],
      'one instance at a time': ['if (instances > 1) tools.refuse', 'if (false) tools.refuse'],
      'a remix is of a video made here': ['if (request.foreignSource) {', 'if (false) {'],
      'what an account is not asked for is told': [
        'for (const field of further) tools.drop(field, unsupported)',
        '',
      ],
    },
  ),
  ...checksOf('videos', `${folder}/read-video.ts`, progress, {
    'a job that was cancelled is over': ["cancelled: 'failed'", "cancelled: 'in_progress'"],
    'a word that nobody knows ends nothing': ["?? 'in_progress'", "?? 'failed'"],
  }),
  ...checksOf('videos', 'src/jobs/reported-values.ts', progress, {
    'progress is a percentage': ['Math.min(Math.max(Math.round(value), 0), 100)', 'value'],
  }),
  ...checksOf('videos', 'src/jobs/state.ts', progress, {
    'progress is whole at the end alone': ['Math.min(progress, 99)', 'progress'],
    'progress stays where nothing is said of it': [
      'Math.max(before, partOf(progress))',
      'partOf(progress)',
    ],
    'what is completed is whole': ["status === 'completed' ? 100 : ", ''],
    'a job is kept as long as its account has it': [
      'expiryOf(job.createdAt, state.expiresAt, ',
      'expiryOf(job.createdAt, undefined, ',
    ],
  }),
  ...checksOf('videos', 'src/jobs/state.ts', atOnce, {
    'an earlier state is no news': [
      'if (order[state.status] !== order[job.status]) return order[state.status] < order[job.status]',
      '',
    ],
  }),
  ...checksOf('videos', 'src/jobs/sanitize-state.ts', safely, {
    'types are types': [' && isMediaType(mediaType)', ''],
    'the number of reasons': ['.slice(0, mostReasons)', ''],
    'the length of a reason': ['cut(one, longestReason)', 'cut(one, 9_000)'],
    'the number of videos': ['.slice(0, mostVideos)', ''],
    'how much an account says besides': [' && length <= longestExtras', ''],
  }),
  ...checksOf('videos', 'src/jobs/new-job.ts', safely, {
    'how much of a prompt is kept': ['prompt.slice(0, longestPrompt)', 'prompt'],
  }),
  ...checksOf('videos', 'src/jobs/content.ts', [...ranges, ...content], {
    'a range beyond the end says how much there is': [
      'if (status === 416) throw beyondEnd(error)',
      '',
    ],
    'an asset that an account does not have': [
      'if (!place) throw noAsset(asset)',
      "if (!place) throw new Error('none')",
    ],
  }).map((mutation) => ({ ...mutation, tests: [...mutation.tests, ...other] })),
  ...checksOf('videos', 'src/jobs/content.ts', content, {
    'an account that cannot tell has no content': ['if (stale) throw statusUnavailable()', ''],
  }),
  ...checksOf('videos', 'src/jobs/content.ts', [`${walks}/forgotten.test.ts`], {
    'a video whose account has lost the file is not found': [
      'throw status === 404 ? options.notFound() : error',
      'throw error',
    ],
  }),
  ...checksOf('videos', 'src/jobs/content-errors.ts', ranges, {
    'how long a file is': ["...(range !== undefined && { 'content-range': range })", ''],
  }),
  ...checksOf('videos', 'src/jobs/content-errors.ts', content, {
    'a video that is not there yet is not told to have failed': [
      "status === 'failed'\n",
      "status !== 'failed'\n",
    ],
  }),
  ...checksOf('videos', 'src/jobs/content-headers.ts', ranges, {
    'HEAD tells no part': ["method === 'GET' && ", ''],
    'the rest of another version': ["&& headers['if-range'] === undefined ?", '?'],
  }),
  ...checksOf('videos', 'src/jobs/encoding.ts', other, {
    'a reference is a picture': [
      'if (mediaType) return { bytes, mediaType }',
      "return { bytes, mediaType: mediaType ?? 'image/png' }",
    ],
    'files are known to those that keep them': [
      "return refuse(field, 'only the account that stores a file can read it')",
      'throw new Error(refuse.name)',
    ],
  }),
  ...checksOf('videos', 'src/upstream/content-relay.ts', streaming, {
    'an account that is held back is not idle': [
      'if (this.controller?.paused) this.lastByteAt = now',
      '',
    ],
    'HEAD leaves a file where it is': [
      "if (this.exchange.request.method === 'HEAD') this.onComplete()",
      '',
    ],
    'a client that leaves has its account stop': [
      'onClientGone(): void {\n    this.cancel()',
      'onClientGone(): void {\n',
    ],
    'headers that say nothing of a file stay behind': [
      'passedContentHeaders(headers, this.attempt.candidate.account)',
      'headers as never',
    ],
  }),
  ...checksOf(
    'videos',
    'src/jobs/refresh-job.ts',
    [`${walks}/forgotten.test.ts`, 'test/walks/operations/poll-failures.test.ts'],
    {
      'a job that its account does not know any more': [
        'if (isUnknown && isSettled)',
        'if (false)',
      ],
      'a job that its account does not know yet': ['if (isUnknown && isSettled)', 'if (isUnknown)'],
      'a job whose time its account says is over': ['|| stored.expiresAt * 1_000 <= now()', ''],
    },
  ),
  ...checksOf(
    'videos',
    'src/jobs/refresh-job.ts',
    ['test/walks/operations/large-results.test.ts'],
    removed({
      'a result that no reply can hold':
        "if (error.code === 'upstream_reply_too_large') return { state: tooLarge, headers: {} }",
    }),
  ),
]
