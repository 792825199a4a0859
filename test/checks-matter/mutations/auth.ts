import { checksOf } from '../mutation.ts'

const credentials = ['test/auth/credentials.test.ts']
const refusals = ['test/auth/refusals.test.ts']
const models = ['test/auth/allowed-models.test.ts']
const others = ['test/auth/other-models.test.ts']
const results = ['test/telemetry/traces/auth-results.test.ts']
const stale = ['test/routing/stale-models.test.ts']

const openAiOrder = '[bearer, xApiKey, xGoogApiKey]'

/** Who may come in, and what they may use. */
export const authChecks = [
  ...checksOf('auth', 'plugins/dialects/responses/index.ts', credentials, {
    'responses: the bearer decides': [openAiOrder, '[xApiKey, bearer, xGoogApiKey]'],
    'responses: x-api-key is taken': [openAiOrder, '[bearer, xGoogApiKey]'],
    'responses: x-goog-api-key is taken': [openAiOrder, '[bearer, xApiKey]'],
  }),
  ...checksOf('auth', 'plugins/dialects/chat/index.ts', credentials, {
    'chat: the bearer decides': [openAiOrder, '[xGoogApiKey, bearer, xApiKey]'],
    'chat: x-api-key is taken': [openAiOrder, '[bearer, xGoogApiKey]'],
    'chat: x-goog-api-key is taken': [openAiOrder, '[bearer, xApiKey]'],
  }),
  ...checksOf('auth', 'plugins/dialects/messages/index.ts', credentials, {
    'messages: x-api-key decides': [
      '[xApiKey, bearer, xGoogApiKey]',
      '[bearer, xApiKey, xGoogApiKey]',
    ],
    'messages: a bearer is taken': ['[xApiKey, bearer, xGoogApiKey]', '[xApiKey, xGoogApiKey]'],
  }),
  ...checksOf('auth', 'plugins/dialects/generate/index.ts', credentials, {
    'generate: x-goog-api-key decides': [
      '[xGoogApiKey, queryKey, xApiKey, bearer]',
      '[xApiKey, bearer, xGoogApiKey, queryKey]',
    ],
    'generate: x-goog-api-key comes before ?key=': [
      '[xGoogApiKey, queryKey, ',
      '[queryKey, xGoogApiKey, ',
    ],
    'generate: ?key= is taken': ['[xGoogApiKey, queryKey, ', '[xGoogApiKey, '],
    'generate: a bearer is taken': ['queryKey, xApiKey, bearer]', 'queryKey, xApiKey]'],
  }),
  ...checksOf('auth', 'src/kit/credential.ts', credentials, {
    '?key= is taken on Gemini paths only': [
      'for (const source of sources) {',
      'for (const source of [...sources, queryKey]) {',
    ],
    'an authorization of another scheme is not ours': ['/^bearer +(.*)$/i', '/(\\S*)$/'],
  }),
  ...checksOf('auth', 'src/kit/credential.ts', ['test/checks-matter/auth.test.ts'], {
    'an empty credential is none': [
      'if (credential) return',
      'if (credential !== undefined) return',
    ],
  }),
  ...checksOf('auth', 'src/exchange/identify.ts', refusals, {
    'nobody comes in unknown': [
      'if (!found || isRefused(found)) throw unauthenticated(exchange, credential, found)',
      "if (!found || isRefused(found)) return enterAuthenticated(exchange, { keyId: '', mayUse: () => true }, credential)",
    ],
  }),
  ...checksOf('auth', 'src/accounts/caller-of-key.ts', refusals, {
    'a disabled key': ['key.disabled || ', ''],
    'an expired key': [' || isExpired(key)', ''],
    'a key expires at its very moment': ['Date.now() >= expiresAt', 'Date.now() > expiresAt'],
  }),
  ...checksOf('auth', 'src/accounts/caller-of-key.ts', results, {
    'a disabled key is not said to be expired': ["disabled ? 'disabled' : 'expired'", "'expired'"],
  }),
  ...checksOf('auth', 'src/hooks/authenticate.ts', results, {
    'plugins behind a refused key are asked': [
      'if (!isRefused(found)) return found',
      'return found',
    ],
    'the first refused key counts': ['refused ??= found', 'refused = found'],
  }),
  ...checksOf('auth', 'src/kit/models.ts', results, {
    'a model that does not exist is beyond no scope': ['if (model) isOutOfScope', 'isOutOfScope'],
  }),
  ...checksOf('auth', 'src/telemetry/metrics/events.ts', results, {
    'the results of authentication are a closed list': [
      "if (refused === 'expired' || refused === 'disabled' || refused === 'scope') return refused",
      'if (refused) return refused',
    ],
  }),
  ...checksOf('auth', 'src/stores/key-ring.ts', [...refusals, ...credentials], {
    'a secret is compared': [
      'return this.#presented.get(secret) ?? this.#lookUp(secret)',
      'return this.#lookUp(secret) ?? this.#own.bySecret.values().next().value',
    ],
    'the whole of a secret is compared': [
      "hash('sha256', secret, 'hex')",
      "hash('sha256', secret.slice(0, 11), 'hex')",
    ],
  }),
  ...checksOf('auth', 'src/kit/models.ts', stale, {
    'an unknown model of a store that is away': [
      "if (!snapshot.isComplete()) return cannotTell('the model exists')",
      '',
    ],
    'an unknown model of a store that answers': ['if (!snapshot.isComplete()) ', ''],
  }),
  ...checksOf('auth', 'src/route/no-account-error.ts', stale, {
    'an account of a store that is away may serve a call': [
      'if (!isDefinite || exchange.snapshot.isComplete()) return error',
      'return error',
    ],
    'no other account than those of a store that answers': [
      ' || exchange.snapshot.isComplete()',
      '',
    ],
  }),
  ...checksOf('auth', 'src/kit/owner-unreachable.ts', stale, {
    'an owner may be back while the store is away': [
      'if (snapshot.isComplete()) return unavailable(reason)',
      'return unavailable(reason)',
    ],
  }),
  ...checksOf('auth', 'src/route/ranking.ts', stale, {
    'an owner that does not support a call is known': [
      'return unsupported(own)',
      'return noAccountError(this.#exchange, [own])',
    ],
  }),
  ...checksOf('auth', 'src/runtime/start-gateway.ts', stale, {
    'disabled accounts of a store that is away': [
      '![states, stored, aliases]',
      '![stored, aliases]',
    ],
    'accounts of a store that is away': ['![states, stored, aliases]', '![states, aliases]'],
    'aliases of a store that is away': ['![states, stored, aliases]', '![states, stored]'],
  }),
  ...checksOf('auth', 'src/stores/follow.ts', ['test/stores/key-ring.test.ts'], {
    'keys of the store are followed': ['if (now !== version) {', 'if (false) {'],
  }),
  ...checksOf('auth', 'src/stores/key-ring.ts', ['test/stores/key-ring.test.ts'], {
    'a configured key wins over a stored one': [
      'return stored && this.#own.byId.has(stored.key.id) ? undefined : stored',
      'return stored',
    ],
    'a presented secret is forgotten with its key': [
      'readonly #presented = new Map<string, Entry>()',
      'static readonly all = new Map<string, Entry>()\n  readonly #presented = Secrets.all',
    ],
  }),
  ...checksOf('auth', 'src/stores/keys.ts', ['test/stores/keys.test.ts'], {
    'a rotated key has a new secret': ['{ hash: hashSecret(secret), rotatedAt', '{ rotatedAt'],
    'a revoked key is disabled': ['...known, disabled: true', '...known'],
    'a revoked key cannot be rotated': [
      "if (known.disabled) throw new KeyConflict('revoked', id)",
      '',
    ],
    'an id is given once': [
      'if (!(await keyRecords(store).add(key.id, key)))',
      'if (await keyRecords(store).set(key.id, key))',
    ],
  }),
  ...checksOf('auth', 'src/stores/key-secret.ts', ['test/stores/keys.test.ts', ...refusals], {
    'keys are kept as hashes': [
      "return `sha256:${hash('sha256', secret, 'hex')}`",
      "return `sha256:${Buffer.from(secret).toString('hex')}`",
    ],
  }),
  ...checksOf('auth', 'src/kit/models.ts', models, {
    'a model that the key may not use': [
      'if (model && (caller.mayUse(model.requested) || caller.mayUse(model.name))) return model',
      'if (model) return model',
    ],
    'a key that may use an alias': ['caller.mayUse(model.requested) || ', ''],
    'a key that may use the model of an alias': [' || caller.mayUse(model.name)', ''],
  }),
  ...checksOf('auth', 'src/kit/models.ts', others, {
    'models beside that of the call': ['if (caller.mayUse(name) && !isAlias) continue', 'continue'],
    'no alias beside the model of the call': [
      'caller.mayUse(name) && !isAlias',
      'caller.mayUse(name)',
    ],
  }),
  ...checksOf('auth', 'plugins/dialects/shared/other-models.ts', others, {
    'models that stand in': ["if (models) this.#noteList(models, 'models')", ''],
    fallbacks: ['if (fallbacks && fallbacks !== accountsChoice)', 'if (false)'],
    'a model that judges': ["if (moderation) this.noteIn(moderation, () => 'moderation')", ''],
    'a model that draws': ['if (svg) this.noteIn', 'if (false) this.noteIn'],
  }),
  ...checksOf('auth', 'plugins/dialects/messages/other-models.ts', others, {
    'models of tools that come later': ["type === 'tool_addition' || ", ''],
    'models of compacted tools': [" || type === 'compaction'", ''],
  }),
  ...checksOf('auth', 'plugins/dialects/responses/named-data.ts', others, {
    'models of tools of a response': ['    noted.models.noteTool(tool, pathOf)\n', ''],
  }),
  ...checksOf('auth', 'plugins/models.ts', [...credentials, 'test/walks/models.test.ts'], {
    'a list of models needs a key': [
      "auth: 'key',\n  shared: true,\n  summary: 'List",
      "auth: 'none',\n  shared: true,\n  summary: 'List",
    ],
    'a look at a model needs a key': [
      "auth: 'key',\n  shared: true,\n  summary: 'Retrieve",
      "auth: 'none',\n  shared: true,\n  summary: 'Retrieve",
    ],
  }),
  ...checksOf('auth', 'plugins/models.ts', models, {
    'a list shows what the key may use': [
      'if (!caller.mayUse(name) && !caller.mayUse(snapshot.platformName(name))) continue',
      '',
    ],
  }),
  ...checksOf('auth', 'plugins/dialects/messages/version.ts', ['test/requests/versions.test.ts'], {
    'messages: a version is required': [
      'if (clientVersion(request) !== undefined) return',
      'if (request) return',
    ],
    'messages: a version is a date': ['  assertDate(request)\n  if', '  if'],
    'messages: provider-version is taken': [" ?? headers['provider-version']", ''],
    'messages: a blank version is none': ['?.trim() || undefined', ''],
  }),
  ...checksOf('auth', 'plugins/dialects/messages/index.ts', ['test/requests/versions.test.ts'], {
    'messages: the version goes to the account': [
      "'anthropic-version': upstreamVersion(exchange, policy)",
      '',
    ],
    'messages: a count needs a version': [
      'requireVersion(exchange.request)\n    return understandCount(body)',
      'return understandCount(body)',
    ],
  }),
]
