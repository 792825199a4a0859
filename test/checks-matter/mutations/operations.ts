import { checksOf } from '../mutation.ts'

const walks = 'test/walks/operations'
const folder = 'plugins/dialects/video-operations'
const contract = ['test/contract/media/operations.test.ts']
const results = [`${walks}/results.test.ts`]
const fieldNames = [`${walks}/field-names.test.ts`]
const uploaded = [`${walks}/uploaded.test.ts`]
const extended = [`${walks}/extended.test.ts`]
const names = [`${walks}/names.test.ts`, `${walks}/odd-names.test.ts`]
const broken = [`${walks}/broken-downloads.test.ts`]
const elsewhere = [`${walks}/elsewhere.test.ts`, `${walks}/led-on.test.ts`]

/** What may be asked of operations, and where their files are looked for. */
export const operationChecks = [
  ...checksOf('walks', 'plugins/health.ts', ['test/plugins/health.test.ts'], {
    'clients see no details where operators have an address': [' || !state.everywhere', ' || true'],
  }),
  ...checksOf('videos', `${folder}/request.ts`, contract, {
    'every instance is looked at': [
      'checkInstance(instance, index)',
      'if (index === 0) checkInstance(instance, index)',
    ],
  }),
  ...checksOf('videos', `${folder}/check-instance.ts`, [...results, ...fieldNames], {
    'an instance is an object': [
      "if (!isObject(instance)) throw wrong(at, 'an object')",
      'if (!isObject(instance)) return',
    ],
    'a prompt is a text': [
      "if (typeof prompt !== 'string') throw wrong(param, 'a string')",
      "if (typeof prompt !== 'string') return",
    ],
    'a picture is somewhere': ['if (!hasPlace(medium, places)) throw', 'if (false) throw'],
  }),
  ...checksOf('videos', `${folder}/image-source.ts`, fieldNames, {
    'a file of a bucket is for accounts that keep it': ["url.startsWith('gs:') ?", 'false ?'],
  }),
  ...checksOf('videos', `${folder}/create.ts`, [`${walks}/address.test.ts`], {
    'no video that could not be handed out': [
      "contentUriOf('', parts.publicUrl, exchange.request)\n",
      '\n',
    ],
  }),
  ...checksOf('videos', `${folder}/create.ts`, extended, {
    'who made a video makes what goes on from it': [
      '...(source && { pin: pinTo(source.job) }),',
      '',
    ],
  }),
  ...checksOf('videos', `${folder}/stored.ts`, uploaded, {
    'uploads fit into a request together': ['field, limit: remaining })', 'field })'],
    'an upload is what its bytes show': ['imageTypeOf(bytes) ?? type ?? stringAt', 'text'],
  }),
  ...checksOf('videos', 'src/jobs/create-video.ts', extended, {
    'a video that an operation does not have': [
      'if (!sample && index > 0) throw options.notFound()',
      '',
    ],
    'a source that its account tells is told to it again': [
      'if (!sample?.inline || exchange.isDryRun) return { upstreamId, sample }',
      'if (sample) return { upstreamId, sample }',
    ],
  }),
  ...checksOf('videos', 'src/jobs/create-video.ts', names, {
    'an id of an account has an end': ['id.length <= longestId && ', ''],
  }),
  ...checksOf('videos', `${folder}/codec.ts`, names, {
    'a name of an account climbs nowhere': ['|| !isName(upstreamId) ', ''],
  }),
  ...checksOf('videos', `${folder}/look-up.ts`, names, {
    'all names of a request are so': ['names.every((name)', 'names.some((name)'],
    'an operation has a name': [
      "if (!parseName(requireString(json, 'operationName'))) {",
      'if (false) {',
    ],
  }),
  ...checksOf(
    'videos',
    'src/jobs/whole-content.ts',
    [...broken, `${walks}/large-results.test.ts`],
    {
      'what cannot be had now is downloaded later': [
        '.catch((error) => logFailure(error, job, options))',
        '',
      ],
    },
  ),
  ...checksOf('videos', 'src/upstream/content-reader.ts', broken, {
    'a compressed video has the limit of any other': [
      'return { ...super.decodingLimits(), bytes: this.#limit }',
      'return super.decodingLimits()',
    ],
  }),
  ...checksOf('videos', 'src/upstream/find-file.ts', elsewhere, {
    'an account leads on only so often': ['hops < maxRedirects ?', 'hops < 100 ?'],
    'another host has to be permitted': [
      'isForeign ? foreignEnvironment : environment',
      'environment',
    ],
    'plugins of an account see no other host': [
      'isForeign ? { ...hooks, attempt: undefined } : hooks',
      'hooks',
    ],
    'a place that must not be reached is none': [
      'const location = foreignLocation(place, fileHeaders, environment.translation.remote)',
      'const location = foreignLocation(place, fileHeaders, { ...environment.translation.remote, check() {} })',
    ],
    'files are asked for as they are': ["'accept-encoding': 'identity', ", ''],
  }),
]
