import { checksOf, removed } from '../mutation.ts'

const suite = 'test/contract/media'
const videos = [`${suite}/videos.test.ts`]
const operations = [`${suite}/operations.test.ts`]
const edits = [`${suite}/image-edits.test.ts`]
const videoReplies = [`${suite}/video-replies.test.ts`]
const imageReplies = [`${suite}/image-replies.test.ts`]
const records = ['test/jobs/odd-records.test.ts']
const names = ['test/walks/operations/names.test.ts']
const types = ['test/walks/operations/file-types.test.ts']
const replies = ['test/walks/images/replies.test.ts']
const polls = ['test/walks/videos/reported-polls.test.ts']

const operationsFolder = 'plugins/dialects/video-operations'
const videosFolder = 'plugins/dialects/videos'
const imagesFolder = 'plugins/dialects/images'

/** The contract's sentences on orders of videos and images, and on what accounts report of them. */
export const mediaContractChecks = [
  ...checksOf('videos', `${operationsFolder}/check-instance.ts`, operations, {
    'an order: a prompt is not blank': ["if (prompt.trim() === '') throw", 'if (false) throw'],
    'an order: a prompt is there': [
      'if (insteadOfPrompt.some((name) => !isAbsent(instance[name]))) return',
      'return',
    ],
    'an order: a medium is an object': [
      "if (!isObject(medium)) throw wrong(field, 'an object')",
      'if (!isObject(medium)) return',
    ],
    'an order: the members of a medium are texts': [
      "if (!isAbsent(value) && typeof value !== 'string') throw",
      'if (false) throw',
    ],
    'an order: inline data are an object': [
      'if (!isObject(inlineData)) throw wrong(`${field}.inlineData`',
      'if (false) throw wrong(`${field}.inlineData`',
    ],
    ...removed({
      'an order: videos are looked at':
        "checkMedium(instance, 'video', { at, places: videoPlaces })",
    }),
  }),
  ...checksOf(
    'videos',
    `${operationsFolder}/check-parameters.ts`,
    operations,
    removed({
      'an order: parameters are an object': "checkObject(json, 'parameters')",
      'an order: an aspect ratio is one': 'checkAspectRatio(values)',
      'an order: a resolution is a text': 'checkNotBlank(values, resolution)',
      'an order: a duration is a number': 'checkInteger(values, durationSeconds, 1, maxSeconds)',
      'an order: no more videos than a job has':
        'checkInteger(values, sampleCount, 1, Math.floor(mostVideos / instances))',
      'an order: a negative prompt is a text': 'checkString(values, negativePrompt)',
      'an order: a seed is an integer':
        'checkInteger(values, seed, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)',
    }),
  ),
  ...checksOf('videos', `${videosFolder}/request.ts`, videos, {
    'an order: a size is above zero': ['[1-9]\\d{0,4}x[1-9]\\d{0,4}', '\\d{1,5}x\\d{1,5}'],
  }),
  ...checksOf('videos', `${videosFolder}/reference.ts`, videos, {
    'an order: a reference is a URL': [
      "if (!hasScheme(url)) throw wrong(referenceField, 'a file or a URL')",
      '',
    ],
    'an order: the URL of a reference is one': [
      "if (typeof url !== 'string' || !hasScheme(url)) throw",
      "if (typeof url !== 'string') throw",
    ],
    'an order: the id of a reference is one': [
      "if (typeof id !== 'string' || id.trim() === '') throw",
      "if (typeof id !== 'string') throw",
    ],
    'an order: a reference is not empty': [
      'if (part.end === part.start) throw',
      'if (false) throw',
    ],
  }),
  ...checksOf('videos', `${videosFolder}/fields.ts`, ['test/walks/videos/field-types.test.ts'], {
    'an order: seconds are a text for an account': [
      "typeof seconds === 'number' ? members.get('seconds') : undefined",
      'undefined',
    ],
    'an order: what else a reference says is named': [
      '...(known.has(referenceField) ? furtherInReference(json) : []),',
      '',
    ],
  }),
  ...checksOf('videos', `${videosFolder}/remix.ts`, videos, {
    'an order: a remix of an operation has no path of a video': [
      ' && source.dialect === exchange.dialect.id',
      '',
    ],
  }),
  ...checksOf('images', `${imagesFolder}/json-images.ts`, edits, {
    'an image in JSON is a URL': ['if (!hasScheme(place)) throw wrong(param, requirement)', ''],
    'an image in JSON is not blank': [" || place.trim() === ''", ''],
  }),
  ...checksOf('videos', 'src/lib/whole-seconds.ts', [...polls, ...records], {
    'a report: a time can be written': [' && time <= latestTime ? time', ' ? time'],
    'a report: a time is whole': ['Math.floor(value) : 0', 'value : 0'],
  }),
  ...checksOf('videos', 'src/jobs/reported-values.ts', videoReplies, {
    'a report: a duration is one': [
      "typeof text === 'string' && /^\\d{1,9}(?:\\.\\d{1,9})?$/.test(text) ? text",
      "typeof text === 'string' ? text",
    ],
    'a report: a size is one': [
      '/^\\d{1,5}x\\d{1,5}$/.test(value) ? value',
      'value.length > 0 ? value',
    ],
    'a report: a count is one': [
      'Number.isSafeInteger(value) && (value as number) >= 0',
      "typeof value === 'number'",
    ],
    'a report: a text says something': ["value.trim() !== '' ? value", "value !== 'x' ? value"],
  }),
  ...checksOf('videos', 'src/jobs/state.ts', polls, {
    'a report: the clock of an account is not ours': [
      'return Math.max(createdAt, Math.min(completedAt, time))',
      'return createdAt === 0 ? 0 : completedAt',
    ],
  }),
  ...checksOf('videos', 'src/jobs/job.ts', polls, {
    'a report: an expiry before the order is none': [
      ' && reported > createdAt ? reported',
      ' ? reported',
    ],
  }),
  ...checksOf(
    'videos',
    'src/jobs/sanitize-state.ts',
    ['test/walks/videos/reported-polls.test.ts'],
    {
      'a report: what is deep is left out': [
        'if (!isShallow(extras, deepestExtras)) return false',
        '',
      ],
    },
  ),
  ...checksOf('videos', 'src/jobs/refresh-job.ts', polls, {
    'a report: pauses of pollers are whole': ['wholeMs.test(pollAfterMs) && ', ''],
  }),
  ...checksOf('videos', `${videosFolder}/codec.ts`, polls, {
    'a report: an order that has an id is taken': [
      "readVideo(json) ?? { status: 'queued' }",
      "readVideo(json) ?? { status: 'failed', error: { code: '', message: '' } }",
    ],
  }),
  ...checksOf('videos', `${operationsFolder}/reply.ts`, videoReplies, {
    'a report: details are objects': ['reported.filter(isObject)', 'reported'],
    'a report: a code is an integer': [
      '{ ...original, code: number, message, details }',
      '{ code: number, message, details, ...original }',
    ],
  }),
  ...checksOf('videos', `${operationsFolder}/names.ts`, names, {
    'a name: its publisher is its own': [
      'if (publisher !== undefined && publisher !== publisherOf(own)) return false',
      '',
    ],
    'a name: it has one of the forms': ['if (!found) return undefined', 'if (!found) return {}'],
  }),
  ...checksOf('kept', 'src/jobs/read-record.ts', records, {
    'job: a record of nobody is none': ['if (!id || !isJobId(id) || !keyId', 'if (false || !keyId'],
    'job: a record without a time is none': [
      ' || createdAt === undefined) return undefined',
      ') return undefined',
    ],
    'job: a bad record is logged now and then': [
      'now() - loggedAt >= everyMs',
      'loggedAt < 0 || true',
    ],
  }),
  ...checksOf('kept', 'src/jobs/jobs.ts', records, {
    'job: a record is read before it is listed': [
      'const job = readLive(value, id)',
      'const job = value as Job | undefined',
    ],
  }),
  ...checksOf('kept', 'src/jobs/content-headers.ts', types, {
    'job: what is XML is no picture': [' && !isMarkup(essence)', ''],
  }),
  ...checksOf('images', `${imagesFolder}/result-fields.ts`, imageReplies, {
    'a result: its words': ['words[name].includes(value)', 'true'],
    'a result: no usage of the legacy model': ["kind === 'legacy' || ", ''],
    'a result: counts are counts': ['tokensAt(object, name) === undefined)', 'false)'],
  }),
  ...checksOf('images', `${imagesFolder}/result-fields.ts`, replies, {
    'a result: a size is what the image shows': [
      'wordOf(name, found, kind) ?? wordOf(name, values[name], kind)',
      'wordOf(name, values[name], kind)',
    ],
    'a result: `auto` says nothing': ['wordOf(name, values[name], kind)', 'stringAt(values, name)'],
    'a result: later models have their own words': ["kind === 'later' && ", 'false && '],
  }),
  ...checksOf('images', `${imagesFolder}/reply.ts`, [...replies, ...imageReplies], {
    'a result: as many images as were asked for': [
      'all.slice(0, requestedCount(context.values))',
      'all',
    ],
    'a result: a URL is a text': ['.map(withoutOthers)', ''],
  }),
  ...checksOf('images', `${imagesFolder}/observer.ts`, imageReplies, {
    'a result: events are corrected': [
      'if (!corrected) return observation',
      'if (true) return observation',
    ],
    'a result: an event has its image': [
      'if (!hasImage && (isCompleted || type === this.#partial)) return withoutImage()',
      '',
    ],
  }),
]
