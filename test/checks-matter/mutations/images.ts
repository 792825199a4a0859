import { checksOf } from '../mutation.ts'

const folder = 'plugins/dialects/images'
const usual = ['test/walks/images/default-model.test.ts']
const spellings = ['test/walks/images/spellings.test.ts']
const toUrls = ['test/walks/images/urls-of-base64.test.ts']
const toBase64 = ['test/walks/images/base64-of-urls.test.ts']
const bounds = ['test/walks/images/fetched-bounds.test.ts']
const newerAccount = ['test/walks/images/newer-account.test.ts']
const replies = ['test/walks/images/replies.test.ts']
const streams = ['test/walks/images/streams.test.ts']
const once = ['test/walks/images/paid-once.test.ts']
const vanished = ['test/walks/images/vanished-uploads.test.ts']

/** Which model makes images, how they come back, and who is asked for them once only. */
export const imageChecks = [
  ...checksOf('images', `${folder}/models.ts`, usual, {
    'several images mean the newer model': [
      'images > 1 || usesNewerFeatures(values)',
      'usesNewerFeatures(values)',
    ],
    'sizes that mean the newer model': [
      "new Set<unknown>(['1536x1024', '1024x1536', 'auto'])",
      'new Set<unknown>()',
    ],
    'qualities that mean the newer model': [
      "new Set<unknown>(['high', 'medium', 'low'])",
      'new Set<unknown>()',
    ],
  }),
  ...checksOf('images', `${folder}/models.ts`, spellings, {
    'fields that mean the newer model': [
      "if (newerOnly.some((name) => isPresent(values, name)) || values['stream'] === true) return true",
      '',
    ],
    'an alias of a legacy model is one': ['names.some(isLegacy)', 'isLegacy(name)'],
    'a model that nobody has is to be named': [
      'requested === undefined && !snapshot.resolve(name)',
      'requested === undefined && false',
    ],
  }),
  ...checksOf('images', `${folder}/call.ts`, toUrls, {
    'an edit of the legacy model has URLs': [
      "kind === 'legacy' ? 'url' : 'b64_json'",
      "kind === 'legacy' ? 'b64_json' : 'b64_json'",
    ],
    'a client says what it awaits of a generation': [
      "requestedField(values) ?? (kind === 'legacy' ? 'url' : undefined)",
      "kind === 'legacy' ? 'url' : undefined",
    ],
  }),
  ...checksOf('images', `${folder}/call.ts`, toBase64, {
    'a generation of a newer model is as its account gives it': [
      "kind === 'legacy' ? 'url' : undefined",
      "kind === 'legacy' ? 'url' : 'b64_json'",
    ],
  }),
  ...checksOf('images', `${folder}/convert-format.ts`, toUrls, {
    'an image has one field': ["delete image['b64_json']", ''],
    'an image that is due as a URL has no other': [
      '!hasField(image, replyField) && hasField(',
      'hasField(',
    ],
  }),
  ...checksOf('images', `${folder}/convert-format.ts`, toBase64, {
    'why an image is not as it should be': [
      'log.warn(`image conversion to \\`${replyField}\\` failed`, describeError(reason))',
      '',
    ],
  }),
  ...checksOf('images', `${folder}/convert-format.ts`, bounds, {
    'images that are fetched have a size together': ['if (left < 0)', 'if (false)'],
  }),
  ...checksOf('images', `${folder}/call.ts`, newerAccount, {
    'newer models are not told how images are awaited': [
      "kind === 'legacy' && !isUpstreamLegacy",
      'false',
    ],
    'legacy ones are': ["kind === 'legacy' && !isUpstreamLegacy", "kind === 'legacy'"],
  }),
  ...checksOf('images', `${folder}/reply.ts`, replies, {
    'a reply has an image': [
      'if (!first) return noImageReply',
      "if (!first) return { outcome: { status: 'completed', fault: 'none' } }",
    ],
    'what is no image is none': ["return typeof value === 'string'", 'return value !== undefined'],
    'an error with 200 is an error': [
      'if (error) return { outcome: failedOutcome',
      'if (false) return { outcome: failedOutcome',
    ],
  }),
  ...checksOf('images', `${folder}/observer.ts`, streams, {
    'a stream is complete with all its images': [
      "this.#remaining > 0 ? { phase: 'output' } : this.#complete()",
      'this.#complete()',
    ],
    'a stream that ends before that is none': [
      'return this.#remaining > 0 ? endedEarly() : this.#complete()',
      'return this.#complete()',
    ],
    '`[DONE]` without an image is no end': [
      'this.#hasImage ? this.#complete() : endedEarly()',
      'this.#complete()',
    ],
    'what images cost': ['this.#usage = imageUsage(json) ?? this.#usage', ''],
  }),
  ...checksOf('images', 'src/attempt/failover.ts', once, {
    'who was not asked has made nothing': ['wasRead && !hasRefused', '!hasRefused'],
    'what a proxy says is no refusal': ['httpStatus <= 503 && ', ''],
    'an account that waits in vain has not refused': [' && httpStatus !== 408', ''],
    'no answer is no refusal': [
      'httpStatus !== undefined && httpStatus <= 503 && httpStatus !== 408',
      'httpStatus !== 408',
    ],
    'a refusal is one': ['wasRead && !hasRefused(httpStatus)', 'wasRead'],
  }),
  ...checksOf('images', 'src/storage/read-opened.ts', vanished, {
    'an upload that is gone is no account’s fault': [
      '.catch((cause: unknown) => {\n    throw unavailable(cause)\n  })',
      '',
    ],
    'nor is a storage that breaks off': [
      '  } catch (cause) {\n    throw unavailable(cause)\n  }\n  if',
      '  } finally {\n  }\n  if',
    ],
  }),
  ...checksOf('requests', 'src/kit/not-offered.ts', ['test/walks/not-offered.test.ts'], {
    'what is not offered says so': [
      "throw new GatewayError('not_found', `This gateway does not support ${method} ${path}.`)",
      "throw new GatewayError('not_found', 'There is no such thing.')",
    ],
    'what is not offered is described to nobody': ['hidden: true', 'hidden: false'],
  }),
  ...checksOf('requests', 'src/body/body-type.ts', ['test/requests/wrong-types.test.ts'], {
    'a form under another type is known for one': [
      'if (/^\\s*--/.test(text)) throw looksLikeForm(type, takesForms)',
      '',
    ],
    'what takes no forms says so': [
      "takesForms ? 'multipart/form-data or application/json' : 'application/json'",
      "'multipart/form-data or application/json'",
    ],
    'a type is told without its parameters': [
      "/^\\s*([\\w.+-]+\\/[\\w.+-]+)/.exec(type ?? '')",
      "/^(.*)$/.exec(type ?? '')",
    ],
    'a file is no JSON': [' || mayBeJson(type)) return', ' || mayBeJson()) return'],
  }),
]
