import { checksOf, removed } from '../mutation.ts'

const replyModel = ['test/exactness/reply-model.test.ts']
const modelNames = ['test/walks/streams/model-names.test.ts']
const aliases = ['test/accounts/aliases.test.ts']
const limit = ['test/requests/edits/output-limit.test.ts']
const retries = ['test/errors/futile-retries.test.ts']
const pieces = ['test/codecs/generate/call-pieces.test.ts']
const reasoning = ['test/walks/streams/unasked-reasoning.test.ts']
const types = ['test/walks/file-references/odd-types.test.ts']
const documents = ['test/walks/failover/text-documents.test.ts']
const charsets = ['test/plugins/shipped/guardrail-charsets.test.ts']
const images = ['test/walks/losses/large-remote-images.test.ts']
const echoed = ['test/requests/echoed-words.test.ts']
const empty = ['test/walks/losses/empty-messages.test.ts']
const fields = ['test/codecs/fields/fields.test.ts']
const missing = [
  'test/walks/losses/missing-results.test.ts',
  'test/walks/losses/stray-results.test.ts',
]
const numbers = ['test/codecs/odd-numbers.test.ts', 'test/codecs/generate/numbers.test.ts']

const renamer = 'src/upstream/rename-model.ts'
const places = 'src/upstream/member-places.ts'
const repeated = ['test/walks/streams/repeated-models.test.ts']
const call = 'plugins/dialects/generate/codec/partial-call.ts'
const calls = 'plugins/dialects/generate/codec/decode-reply/read-calls.ts'
const responses = 'plugins/dialects/responses'

/** What the four text dialects name, limit, retry, understand and repeat. */
export const textDialectChecks = [
  ...checksOf('streams', renamer, replyModel, {
    'a model that is no text stays': ['.filter(({ start }) => json[start] === quote)', ''],
    "a malformed name is not the gateway's defect": [
      'if (error instanceof TooMuchJson) throw error',
      'throw error',
    ],
  }),
  ...checksOf('streams', places, replyModel, {
    'a model is renamed at its own place only': [
      'if (isKey(json, name, key)) addPlace',
      'addPlace',
    ],
  }),
  ...checksOf('streams', renamer, repeated, {
    'too many models are refused': ['if (error instanceof TooMuchJson) throw error', ''],
  }),
  ...checksOf(
    'streams',
    'src/upstream/places.ts',
    [...repeated, 'test/upstream/repeated-ids.test.ts'],
    {
      'a name is replaced so many times': [
        'if (places.length === mostPlaces) throw',
        'if (false) throw',
      ],
    },
  ),
  ...checksOf('streams', 'src/upstream/native.ts', repeated, {
    'a large reply names the model of the client': [
      'body.then((body) => ({ ...settled, body }))',
      'body.then(() => settled)',
    ],
  }),
  ...checksOf('streams', 'src/kit/too-deep.ts', repeated, {
    'a reply with too many names is no defect': ['thrown instanceof TooMuchJson', 'false'],
  }),
  ...checksOf('streams', 'src/lib/json/is-key.ts', ['test/json-keys.test.ts'], {
    'a key ends where the name does': ['return at === end', 'return true'],
    'a key may have escapes': ['bytes[at] === backslash', 'false'],
    'a short escape is no letter': ['if (bytes[at + 1] !== letterU) return undefined', ''],
  }),
  ...checksOf('streams', 'src/kit/framing/sse-data.ts', replyModel, {
    'a model in JSON of several lines': [
      'if (lines.length === 1) return',
      'if (lines.length > 0) return',
    ],
  }),
  ...checksOf('streams', 'src/upstream/native.ts', replyModel, {
    'a native stream names the model of the client': [
      ': new ModelRenamingObserver(own, new ModelRenamer(modelPaths.frame, name, keyId), framing)',
      ': own',
    ],
    'a native reply names the model of the client': [': { ...settled, body }', ': settled'],
  }),
  ...checksOf('translation', 'src/accounts/reply-model.ts', modelNames, {
    "a reply names the account's model unless it is told otherwise": [
      "replyModel === 'client' && ",
      '',
    ],
  }),
  ...checksOf('translation', 'src/accounts/reply-model.ts', replyModel, {
    'an alias goes before its account': ['model.replyModel ?? ', ''],
  }),
  ...checksOf('translation', 'src/accounts/snapshot.ts', aliases, {
    'an alias of an alias': ['next = modelOf(alias)\n', 'return undefined\n'],
  }),
  ...checksOf('translation', 'src/translate/translation.ts', modelNames, {
    'a translated reply names the model that the account reports': [
      'replyModel ?? (reported || context.model)',
      'context.model',
    ],
  }),
  ...checksOf('requests', 'plugins/dialects/chat/output-limit.ts', limit, {
    'only accounts that take max_tokens get it': [
      'candidate.account.outputLimitField !== formerLimit || ',
      '',
    ],
    'one limit is left of two': [
      'if (!members.has(formerLimit)) return [rename]',
      'return [rename]',
    ],
  }),
  ...checksOf('requests', 'plugins/dialects/chat/index.ts', limit, {
    'openai-compatible accounts take max_tokens': ["{ outputLimitField: 'max_tokens' }", '{}'],
  }),
  ...checksOf(
    'translation',
    'plugins/dialects/chat/codec/encode-request/encode-settings.ts',
    limit,
    {
      'a translated limit has the name that the account takes': [
        '[outputLimitField]: maxOutputTokens',
        'max_completion_tokens: maxOutputTokens',
      ],
    },
  ),
  ...checksOf('errors', 'src/contract/errors.ts', retries, {
    'a refused key is not tried again': [
      "unauthenticated: { status: 401, kind: 'authentication', retry: false }",
      "unauthenticated: { status: 401, kind: 'authentication' }",
    ],
    'a status of a plugin decides the retry': ['isOverridden && row.status < 500', 'false'],
  }),
  ...checksOf('translation', call, pieces, {
    'a list grows by one': [' && step <= parent.length', ''],
    'a path leads into objects and lists only': [
      "if (typeof next !== 'object' || next === null) return undefined",
      "if (typeof next !== 'object' || next === null) return newMembers()",
    ],
    'a text continues': [
      "typeof value === 'string' && typeof before === 'string'",
      "false && typeof value === 'string'",
    ],
    'a path has an end': ['path.steps.length > deepest', 'false'],
    'a text has an end': ['this.#openTexts.add(keyOf(steps))', 'undefined'],
  }),
  ...checksOf('translation', calls, pieces, {
    'a call without its end is no success': [' || this.#last() !== undefined', ''],
    'a text without its end is no success': ['if (call.hasOpenText) this.#hasCutText = true', ''],
    'a call without its end is ended': [
      'for (const open of this.#open.splice(0)) if (!open.isEnded) this.#end(open)',
      '',
    ],
    'a piece belongs to the call with its id': [
      'id ? this.#openById.get(id) : undefined',
      'undefined',
    ],
    'a piece of no call fails the reply': ["throw invalid('without a name')", 'return'],
  }),
  ...checksOf(
    'translation',
    'plugins/dialects/generate/codec/decode-request/decode-contents.ts',
    pieces,
    {
      'a call in pieces in a history is completed': [
        'if (last instanceof AssistantDraft) last.close()',
        '',
      ],
    },
  ),
  ...checksOf('translation', `${responses}/codec/decode-reply/part-reader.ts`, reasoning, {
    'reasoning is read once': ['if (!this.#pieces.has(piece)) ', ''],
  }),
  ...checksOf('translation', `${responses}/codec/decode-reply/item-readers.ts`, reasoning, {
    'reasoning in a message': [
      'this.#refusal(at) : this.#reasoning.part(channel)',
      'this.#refusal(at) : undefined',
    ],
  }),
  ...checksOf('translation', `${responses}/codec/decode-reply/output-parts.ts`, reasoning, {
    'reasoning in a message is no text': [
      'if (form) return text',
      'if (form && !text) return text',
    ],
  }),
  ...checksOf('translation', 'src/lib/media-type.ts', types, {
    'image/jpg is image/jpeg': ["['image/jpg', 'image/jpeg'],", ''],
  }),
  ...checksOf(
    'translation',
    'src/kit/codec/read.ts',
    fields,
    removed({
      'nested: a text is a text': 'checkString(json, name, path)',
      'nested: a boolean is a boolean': 'checkBoolean(json, name, path)',
      'nested: an object is an object': 'checkObject(json, name, path)',
    }),
  ),
  ...checksOf('translation', 'src/kit/codec/missing-results.ts', missing, {
    'a result that the gateway writes is a loss': ['if (isAnswered) return', 'return'],
    'a whole conversation loses nothing': ['if (isAnswered) return', ''],
  }),
  ...checksOf('translation', 'src/kit/codec/file-text.ts', types, {
    'a text is base64': ['if (!bytes) throw', 'if (false) throw'],
    'a text is UTF-8 for accounts': [
      'hasOtherCharset(file) ? readFileText',
      'false ? readFileText',
    ],
    'a text has its charset': ['new TextDecoder(charset, {', "new TextDecoder('utf-8', {"],
    'a text is of its charset': ['fatal: true', 'fatal: false'],
  }),
  ...checksOf('translation', 'src/translate/text-files.ts', ['test/requests/text-files.test.ts'], {
    'other charsets are read in turns': ['    yield\n', ''],
    'documents that grow in UTF-8 are bounded': ['if (bytes > mostBytes)', 'if (false)'],
    'what is read has its text': ['source: { ...part.source, text }', 'source: part.source'],
    'nothing is read for clients that have left': ['if (client.gone &&', 'if (false &&'],
    'texts take memory': ["await leaseOf(exchange).hold('texts', memoryOf(files))", ''],
    'texts that are not needed take none': ["void leaseOf(exchange).hold('texts', 0)", 'return'],
  }),
  ...checksOf('translation', 'src/kit/codec/charsets.ts', types, {
    'a charset is read as MIME says': [
      "parsed(mediaType, field).params.get('charset')",
      '[...charsetsIn(mediaType)][0]',
    ],
  }),
  ...checksOf('translation', 'src/kit/codec/charsets.ts', charsets, {
    'a long media type is not read': ['if (mediaType.length > longest) throw', 'if (false) throw'],
  }),
  ...checksOf('translation', 'src/kit/codec/file-readings.ts', charsets, {
    'a charset that careless readers find is looked at': [
      'if (other !== undefined) texts',
      'if (false) texts',
    ],
    'a few charsets are looked at': ['if (more.length > 0) throw', 'if (false) throw'],
    'words of ASCII behind another charset are looked at': ['!keepsAscii(charset) || ', ''],
    'words of UTF-8 behind another charset are looked at': [
      '(isValidUtf8(bytes) && !isAscii(bytes))',
      'false',
    ],
  }),
  ...checksOf('translation', 'src/kit/request-texts.ts', charsets, {
    'words that only some readers find are not masked': [
      '=== text) continue',
      '!== undefined) continue',
    ],
  }),
  ...checksOf('translation', 'src/translate/text-files.ts', documents, {
    'a document is read once for all accounts': ['if (!known.has(file)) ', ''],
  }),
  ...checksOf('translation', 'src/attempt/attempt.ts', documents, {
    'nothing is planned for clients that have left': [
      'if (isAbandoned(present)) throw',
      'if (false) throw',
    ],
  }),
  ...checksOf('translation', 'src/lib/decode-base64.ts', ['test/decode-base64.test.ts'], {
    'base64 has no other characters': ['if (/[^\\w+/ \\t', 'if (false && /[^\\w+/ \\t'],
    'base64 has no other characters behind its first window': [
      'from += windowLength',
      'from += digits.length',
    ],
    'nothing follows the end of base64': ['if (padding >= 0 &&', 'if (padding < 0 &&'],
    'no digit of base64 is alone': ['last >= 0 &&', 'false &&'],
    'blanks behind base64 are no digits': ['digits.trimEnd().length', 'digits.length'],
  }),
  ...checksOf('translation', 'src/lib/media-type.ts', types, {
    'JSON is text': ['json|x-ndjson', 'x-ndjson'],
  }),
  ...checksOf('translation', 'src/remote/fetch-all.ts', images, {
    'a picture that is too large is discarded': ['isOversized(thrown)) {', 'false) {'],
  }),
  ...checksOf('translation', 'src/remote/inline.ts', images, {
    'a discarded picture is named': ['...discardedParts(inlined)', ''],
  }),
  ...checksOf('requests', `${responses}/request.ts`, echoed, {
    'words of include': ['!includable.has(value)', 'false'],
    'words of truncation': [
      "checkWord(json, 'truncation', ['auto', 'disabled'])",
      "checkString(json, 'truncation')",
    ],
  }),
  ...checksOf('translation', `${responses}/codec/encode-reply/echo.ts`, echoed, {
    'an unknown tier is not repeated': [
      "tierOf(stringAt(body, 'service_tier') ?? 'auto') ?? 'auto'",
      "stringAt(body, 'service_tier') ?? 'auto'",
    ],
  }),
  ...checksOf(
    'translation',
    'plugins/dialects/generate/codec/decode-request/decode-contents.ts',
    echoed,
    {
      'a content has parts': ['if (parts.length === 0) throw', 'if (false) throw'],
    },
  ),
  ...checksOf(
    'translation',
    'plugins/dialects/generate/codec/decode-request/decode-contents.ts',
    numbers,
    {
      'a role is known': ['roles.get(word)', "roles.get(word) ?? 'user'"],
    },
  ),
  ...checksOf(
    'translation',
    'plugins/dialects/generate/codec/decode-request/decode-options.ts',
    numbers,
    {
      'a limit is a number of tokens': [
        "config.integer('maxOutputTokens', { least: 1 })",
        "config.number('maxOutputTokens')",
      ],
      'candidates are a number of answers': [
        "config.integer('candidateCount', { least: 1, most: 8 })",
        "config.number('candidateCount')",
      ],
      'a probability has limits': ["'topP', { least: 0, most: 1 }", "'topP'"],
    },
  ),
  ...checksOf(
    'translation',
    'plugins/dialects/messages/codec/encode-request/encode-turns.ts',
    empty,
    {
      'no conversation ends with an empty message': [
        'if (this.#endsEmpty) throw',
        'if (false) throw',
      ],
      'no conversation is empty': ['if (turns.length === 0) {', 'if (false) {'],
      'words for the user are a loss': [
        "drop(field, 'the Messages API requires a message of the user first",
        "void (field, 'the Messages API requires a message of the user first",
      ],
      'no conversation begins with an empty message': [
        'if (this.#endsEmpty && this.#isAtStart) throw',
        'if (false) throw',
      ],
    },
  ),
  ...checksOf(
    'translation',
    'plugins/dialects/messages/codec/encode-request/encode-sampling.ts',
    empty,
    {
      'a value without a meaning is left out': [
        'if (value >= least) return Math.min(most, value)',
        'return Math.min(most, Math.max(least, value))',
      ],
    },
  ),
]
