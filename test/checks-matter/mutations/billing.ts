import { checksOf } from '../mutation.ts'

/** A cost is exact, or unknown. */
export const billingChecks = [
  ...checksOf(
    'billing',
    'src/upstream/changing-observer.ts',
    ['test/telemetry/metrics/costs.test.ts'],
    {
      'costs: of a renamed or reframed stream that its client leaves': [
        'return this.#inner.usage',
        'return undefined',
      ],
    },
  ),
  ...checksOf('billing', 'src/kit/cost.ts', ['test/codecs/odd-usage.test.ts'], {
    'costs: tokens that are listed apart leave the whole unknown': [
      'usage === undefined || usage.isPartial',
      'usage === undefined',
    ],
  }),
  ...checksOf('billing', 'src/kit/usage.ts', ['test/codecs/odd-usage.test.ts'], {
    'costs: a stream keeps no long word': ['word.length > longestTier ? otherTier : word', 'word'],
  }),
  ...checksOf('billing', 'src/kit/spend.ts', ['test/telemetry/metrics/costs.test.ts'], {
    'costs: a refused attempt is no look-up': ['!hasCounts(reported) && !isTaken(input)', 'false'],
    'costs: a poll has none': ["['count-tokens', 'video-job', ", "['count-tokens', "],
    'costs: a free account needs no usage': [
      "if (price === 'free') return { cost: 0",
      "if (price === 'free' && tokens) return { cost: 0",
    ],
  }),
  ...checksOf(
    'billing',
    'src/telemetry/metrics/serialize.ts',
    ['test/telemetry/metrics/costs.test.ts'],
    {
      'costs: leave in dollars': ['${value / parts}', '${value}'],
    },
  ),
  ...checksOf('billing', 'src/kit/cost.ts', ['test/accounts/prices.test.ts'], {
    'costs: a class without a rate leaves the whole unknown': [
      'if (each === undefined || times === undefined) return false',
      'if (each === undefined || times === undefined) return true',
    ],
    'costs: a tier without a factor has no cost': [
      "if (factor === undefined) return 'no_tier'",
      "if (factor === undefined) return 'no_rate'",
    ],
    'costs: tokens of a cache are in one class only': [
      'inputTokens - cachedTokens - cacheWriteTokens',
      'inputTokens - cachedTokens',
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
      "if (audio + image > 0 && plain < inputTokens) return 'no_rate'",
      '',
    ],
    'costs: are rounded, not cut off': ['this.#pico + 500', 'this.#pico'],
  }),
  ...checksOf('billing', 'src/accounts/prices.ts', ['test/accounts/prices.test.ts'], {
    'costs: rates of the longest prompts go first': [
      'other.inputTokens - one.inputTokens',
      'one.inputTokens - other.inputTokens',
    ],
    'costs: prices of an account go before shared ones': [
      'price ?? priceIn(shared, model) ?? publishedPrice(provider, model), ofAccount',
      'priceIn(shared, model) ?? price ?? publishedPrice(provider, model), ofAccount',
    ],
  }),
  ...checksOf('billing', 'src/kit/spend.ts', ['test/telemetry/metrics/attempt-costs.test.ts'], {
    'costs: an attempt that no account has seen is no look-up': [
      'return isSent && !wasUnread(attempt)',
      'return true',
    ],
  }),
  ...checksOf('billing', 'src/kit/spend.ts', ['test/spend/estimated.test.ts'], {
    'costs: a use that is not reported is estimated': [
      'isEstimated(input.exchange.operation)',
      'false',
    ],
    'costs: a reported 0 is no lack': [
      'usage?.inputTokens !== undefined && usage.outputTokens !== undefined',
      '!!usage?.inputTokens && !!usage.outputTokens',
    ],
    'costs: a response in the background has its use at its end': [
      'exchange.call.finishWithoutClient === true &&',
      'false &&',
    ],
  }),
  ...checksOf('billing', 'src/upstream/running-attempt.ts', ['test/spend/left.test.ts'], {
    'costs: a limit has a reply read to its end': ['progress.needsUsage ||', ''],
  }),
  ...checksOf('billing', 'src/accounts/prices.ts', ['test/accounts/prices.test.ts'], {
    'costs: a price that was found is that of one own name': ['found.get(model)', "found.get('')"],
  }),
  ...checksOf('billing', 'src/accounts/prices.ts', ['test/admin/prices.test.ts'], {
    'costs: a stored price of one account is for it alone': [
      'if (accountId !== undefined) return `account ${accountId}`',
      "if (accountId !== undefined) return ''",
    ],
    'costs: a stored price begins at its time': ['from: one.from ?? -Infinity', 'from: -Infinity'],
  }),
  ...checksOf('billing', 'src/admin/call-limits.ts', ['test/admin/limits.test.ts'], {
    'limits of operators: one of the file is changed there alone': [
      "if (limit?.managedBy !== 'FILE') return undefined",
      'if (limit) return undefined',
    ],
    'limits of operators: a dry run writes nothing': ['  if (!dryRun) {', '  {'],
  }),
  ...checksOf('billing', 'src/kit/usage.ts', ['test/codecs/special-tokens.test.ts'], {
    'costs: a tier has one name, whatever its letters': [
      'tier = word.toLowerCase()',
      'tier = word',
    ],
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
  ...checksOf('billing', 'src/attempt/fallbacks.ts', ['test/routing/fallbacks/images.test.ts'], {
    'an image that may be drawn is drawn once: no fallback': [
      'return !attempt || !wasPerhapsBilled(attempt, operation, wasStaleConnection(attempt, error))',
      'return true',
    ],
  }),
]
