import { checksOf } from '../mutation.ts'

const folder = 'src/telemetry/metrics'
const tokens = ['test/codecs/special-tokens.test.ts']
const costs = ['test/telemetry/metrics/costs.test.ts']
const of = (name: string) => [`test/telemetry/metrics/${name}.test.ts`]

const odd = ['test/codecs/odd-usage.test.ts']

/** What a call costs, and which price its model has. */
export const costChecks = [
  ...checksOf('walks', 'src/upstream/observer-around.ts', costs, {
    'costs: of a renamed or reframed stream that its client leaves': [
      'return this.inner.usage',
      'return undefined',
    ],
  }),
  ...checksOf('walks', 'src/kit/cost.ts', odd, {
    'costs: tokens that are listed apart leave the whole unknown': [
      "if (usage.isPartial) return 'no_usage'",
      '',
    ],
  }),
  ...checksOf('walks', 'src/kit/usage.ts', odd, {
    'costs: a stream keeps no long word': ['word.length > longestTier ? otherTier : word', 'word'],
  }),
  ...checksOf('walks', 'plugins/dialects/messages/codec/usage.ts', odd, {
    'costs: a compaction is listed apart': ["type !== 'message'", "type === 'none'"],
    'costs: any region is none in capitals too': [
      'anyRegion.has(word.toLowerCase())',
      'anyRegion.has(word)',
    ],
  }),
  ...checksOf('walks', 'plugins/dialects/generate/codec/usage.ts', odd, {
    'costs: all entries of a modality count': ['counts.reduce(sum, undefined)', 'counts[0]'],
    'costs: a standard tier hides no other one': [
      'words.find((word) => servedTier(word) !== undefined) ?? ',
      '',
    ],
  }),
  ...checksOf('walks', `${folder}/costs.ts`, of('costs'), {
    'costs: a refused attempt is no look-up': [
      'outcome.usage !== undefined || isTaken(attempt)',
      'true',
    ],
    'costs: a poll has none': ["name === 'fetch_response' || ", ''],
    'costs: a reload replaces prices that were found': ['model?.of !== priceOf ||', '!model ||'],
    'costs: a free account needs no usage': [
      "price === 'free' ? 0 : costOf",
      "price === 'free' && outcome.usage ? 0 : costOf",
    ],
  }),
  ...checksOf('walks', `${folder}/serialize.ts`, of('costs'), {
    'costs: leave in dollars': ['${value / parts}', '${value}'],
  }),
  ...checksOf('walks', 'src/kit/cost.ts', ['test/accounts/prices.test.ts'], {
    'costs: a class without a rate leaves the whole unknown': [
      "if (rate === undefined) return 'no_rate'",
      'if (rate === undefined) continue',
    ],
    'costs: a tier without a factor has no cost': [
      "if (factor === undefined) return 'no_tier'",
      "if (factor === undefined) return 'no_rate'",
    ],
    'costs: tokens of a cache are in one class only': [
      'input - cachedTokens - cacheWriteTokens',
      'input - cachedTokens',
    ],
    'costs: numbers that contradict each other have no cost': [
      'cachedTokens + cacheWriteTokens <= input &&',
      '',
    ],
    'costs: no more is kept for an hour than written': [
      'cacheWrite1hTokens <= cacheWriteTokens &&',
      '',
    ],
    'costs: audio and images of a prompt are parts of it': [
      'audioInputTokens + imageInputTokens <= input &&',
      '',
    ],
    'costs: audio and images of a reply are parts of it': [
      'audioOutputTokens + imageOutputTokens <= output',
      'true',
    ],
    'costs: a part of a token is no number of tokens': ['isWhole(output) &&', ''],
    'costs: audio with a rate of its own is not told apart in a cache': [
      'if (modal.length > 0 && plain < input) return undefined',
      '',
    ],
    'costs: are rounded, not cut off': ['pico * factor + half', 'pico * factor'],
  }),
  ...checksOf('walks', 'src/accounts/prices.ts', ['test/accounts/prices.test.ts'], {
    'costs: rates of the longest prompts go first': [
      'other.inputTokens - one.inputTokens',
      'one.inputTokens - other.inputTokens',
    ],
    'costs: prices of an account go before shared ones': [
      '(prices && priceIn(prices, model)) ?? priceIn(shared, model)',
      'priceIn(shared, model) ?? (prices && priceIn(prices, model))',
    ],
  }),
  ...checksOf('walks', `${folder}/costs.ts`, of('attempt-costs'), {
    'costs: an attempt that no account has seen is no look-up': [
      'status === undefined ? isSent : status < 400',
      'status === undefined || status < 400',
    ],
    'costs: a price that was found is that of one own name': [
      ' || model.upstream !== candidate.upstreamModel',
      '',
    ],
  }),
  ...checksOf('walks', 'plugins/dialects/chat/observer.ts', of('attempt-costs'), {
    'costs: the tier of an early chunk is that of the usage': [
      "tierWordAt(json, 'service_tier') ?? this.#tier",
      "tierWordAt(json, 'service_tier')",
    ],
  }),
  ...checksOf(
    'walks',
    'plugins/dialects/chat/codec/decode-reply/reply-reader.ts',
    of('attempt-costs'),
    {
      'costs: the tier of an early chunk is that of the translated usage': [
        "tierWordAt(reply, 'service_tier') ?? this.#tier",
        "tierWordAt(reply, 'service_tier')",
      ],
    },
  ),
  ...checksOf(
    'walks',
    'src/configuration/prices-schema.ts',
    ['test/configuration/prices.test.ts'],
    {
      'prices: a rate has a limit': ['parsed <= BigInt(highest) * 1_000_000n', 'true'],
    },
  ),
  ...checksOf('walks', 'src/configuration/check-prices.ts', ['test/configuration/prices.test.ts'], {
    'prices: the standard tier has no factor': ['if (tier === undefined)', 'if (tier === null)'],
    'prices: a tier has a name that replies can have': [
      'if (tier === otherTier)',
      'if (tier === null)',
    ],
    'prices: a tier without a name is none': [
      "name === '' ? otherTier : servedTier(name)",
      'servedTier(name)',
    ],
    'prices: a tier has one factor, whatever its letters': [
      'firsts.set(tier, ',
      'firsts.set(name, ',
    ],
    'prices: rates of a length are there once': [
      "typeof length !== 'number' || first === index",
      'true',
    ],
    'prices: a model has a name': ["if (name === '') return [namelessModel(path)]", ''],
  }),
  ...checksOf('walks', 'src/kit/model-version.ts', ['test/accounts/prices.test.ts'], {
    'prices: a date has a month': ["'(?:0[1-9]|1[0-2])'", "'(?:[0-9]{2})'"],
    'prices: a date has a day': ["'(?:0[1-9]|[12][0-9]|3[01])'", "'(?:[0-9]{2})'"],
    'prices: a version begins with 0': ['-0[0-9]{2}', '-[0-9]{3}'],
  }),
  ...checksOf('walks', 'src/configuration/shape.ts', ['test/configuration/prices.test.ts'], {
    'prices: a mistake inside of a map that may be a word has its place': [
      'const inner = issuesWithin(issue)',
      'const inner = issuesWithin(issue)?.slice(9)',
    ],
  }),
  ...checksOf('terminal', 'src/cli/price-warnings.ts', ['test/cli/price-warnings.test.ts'], {
    'prices: an account that is taken out misses none': [
      "if (own === 'free' || !enabled) return []",
      "if (own === 'free') return []",
    ],
    'prices: accounts of the store may have a name': ['isWhole ? accounts : undefined', 'accounts'],
    'prices: a date behind a model is no part of its name': [' || undated.has(name)', ''],
    'prices: a pattern of an account has a name': [' || matches(name)', ''],
    "prices: an account's own name is named": ['if (own) return', 'if (own && !own) return'],
    'prices: a free account misses none': ["if (own === 'free' || !enabled)", 'if (!enabled)'],
  }),
  ...checksOf('terminal', 'src/cli/rate-warnings.ts', ['test/cli/price-warnings.test.ts'], {
    'prices: a cache is dearer by its amount': [
      'Number(cacheRead) > Number(input)',
      'cacheRead > input',
    ],
    'prices: a cache of long prompts may be too dear': [
      '...over.map((one, index)',
      '...over.slice(9).map((one, index)',
    ],
    'prices: nearly every prompt has text': [
      "input === undefined ? ['input'] : []",
      'false ? [] : []',
    ],
    'prices: nearly every reply has text': ['(output ?? outputImage) === undefined', 'false'],
    'prices: a reply may be an image alone': [
      '(output ?? outputImage) === undefined',
      'output === undefined',
    ],
  }),
  ...checksOf('walks', 'src/lib/decimal.ts', ['test/accounts/prices.test.ts'], {
    'prices: a decimal has all of its places': [".padEnd(places, '0')", ''],
  }),
  ...checksOf('walks', 'src/lib/decimal.ts', ['test/configuration/prices.test.ts'], {
    'prices: further decimals than are counted are no decimal': [
      'if (!/^0*$/.test(decimals.slice(places))) return undefined',
      '',
    ],
    'prices: only digits are a decimal': ['if (!match) return undefined', 'if (!match) return 0n'],
  }),
  ...checksOf('walks', 'src/kit/usage.ts', tokens, {
    'costs: a tier has one name, whatever its letters': ['word.toLowerCase()', 'word'],
    'costs: a tier of ordinary calls has none': [
      'if (standardTiers.has(tier)) return undefined',
      '',
    ],
    'costs: no account makes up the name of a tier': [
      'tierName.test(tier) ? tier : otherTier',
      'tier',
    ],
    'costs: a tier alone is no usage': ['Object.values(known).some(isNumber)', 'true'],
  }),
  ...checksOf('walks', 'plugins/dialects/responses/codec/usage.ts', tokens, {
    'costs: a response names its tier': [
      "servedTier(stringAt(response, 'service_tier'))",
      'undefined',
    ],
  }),
  ...checksOf('walks', 'plugins/dialects/chat/codec/usage.ts', tokens, {
    'costs: a completion names its tier': ['servedTier(tier)', 'undefined'],
  }),
  ...checksOf('walks', 'plugins/dialects/messages/codec/usage.ts', tokens, {
    'costs: any region is no tier': ['anyRegion.has(word.toLowerCase()) ? []', 'false ? []'],
    'costs: the speed and the region are of the tier': [
      '[this.#serviceTier, this.#speed, this.#region]',
      '[this.#serviceTier]',
    ],
  }),
  ...checksOf('walks', 'plugins/dialects/generate/codec/usage.ts', tokens, {
    'costs: audio in prompts of tools is that of the prompt': [
      "sum(tokensOf('AUDIO', prompt), tokensOf('AUDIO', tools))",
      "tokensOf('AUDIO', prompt)",
    ],
    'costs: images in prompts of tools are those of the prompt': [
      "sum(tokensOf('IMAGE', prompt), tokensOf('IMAGE', tools))",
      "tokensOf('IMAGE', prompt)",
    ],
    'costs: a tier of Vertex AI is the type of its traffic': [
      ", tierWordAt(usage, 'trafficType')]",
      ']',
    ],
  }),
]
