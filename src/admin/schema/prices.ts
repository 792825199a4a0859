import type { TokenClass } from '../../contract/prices.ts'
import { computedOnce } from '../../lib/computed-once.ts'
import { defined } from '../../lib/json/object.ts'
import { addAct } from '../act.ts'
import type { AdminBuilder } from '../builder.ts'
import { complexityOfSearch, namedAfter, pageOf, sliceAfter } from '../connections.ts'
import {
  type PriceChanged,
  type PriceView,
  listPriceViews,
  removePrice,
  setPrice,
} from '../prices.ts'
import { invalid } from '../failures.ts'
import { actorOf } from '../principal.ts'
import { catchUpWith } from '../read-store.ts'
import { edgesOf } from './edges.ts'
import { versionFields } from './payloads.ts'
import { addPriceUnits, listUnits, settingOfUnits, unitProblems } from './price-units.ts'

/** The classes of tokens, in the order of the documentation. */
const classes: readonly TokenClass[] = [
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'cacheWrite1h',
  'inputAudio',
  'inputImage',
  'outputAudio',
  'outputImage',
]

type Decimal = string | number

type Rates = Partial<Record<TokenClass, Decimal | null | undefined>>

type Tier = {
  readonly tier: string
  readonly factor?: Decimal | null | undefined
  readonly factors?: Rates | null | undefined
}

/** Adds the prices of models and the acts on them. */
export function addPrices(builder: AdminBuilder): void {
  const authScopes = { viewer: true }
  const rates = priceRatesOf(builder)
  const long = builder
    .objectRef<{ inputTokens: number; rates: Rates }>('LongPromptRates')
    .implement({
      description:
        'The rates of calls whose whole prompt has more tokens, for all of their tokens.',
      authScopes,
      fields: (t) => ({
        inputTokens: t.expose('inputTokens', { type: 'Count' }),
        rates: t.field({ type: rates, resolve: (one) => one.rates }),
      }),
    })
  const tier = builder.objectRef<Tier>('TierFactor').implement({
    description: 'The factor of the rates for a service tier besides the standard one.',
    authScopes,
    fields: (t) => ({
      tier: t.exposeString('tier'),
      factor: t.field({
        type: 'Amount',
        nullable: true,
        description: 'For all classes. null: `factors` has one for each class.',
        resolve: (one) => textOf(one.factor),
      }),
      factors: t.field({ type: rates, nullable: true, resolve: (one) => one.factors }),
    }),
  })
  const { unit, unitInput } = addPriceUnits(builder)
  const origin = builder.enumType('PriceOrigin', {
    description:
      'STORE: setPrice. FILE: the configuration file. PUBLISHED: the table of this version.',
    values: ['STORE', 'FILE', 'PUBLISHED'] as const,
  })
  const price = builder.objectRef<PriceView>('Price').implement({
    description:
      'A price by the own name that accounts have for a model, or such a model without a price. Prices of an account go before those of its provider, these before those of all accounts, and the published ones come last; among them a price of the store goes before one of the configuration file.',
    authScopes,
    fields: (t) => ({
      id: t.exposeID('id'),
      model: t.exposeString('model', {
        description: '`*`: all models of an account that is free.',
      }),
      accountId: t.id({
        nullable: true,
        description: 'The only account that it is for. null: all.',
        resolve: (one) => one.accountId,
      }),
      ...edgesOf(t, { account: ({ accountId }) => accountId }),
      provider: t.string({
        nullable: true,
        description: 'The only provider that it is for. null: all.',
        resolve: (one) => one.provider,
      }),
      origin: t.field({
        type: origin,
        nullable: true,
        description: 'null: the model has no price, and the costs of its calls are unknown.',
        resolve: (one) => one.origin,
      }),
      from: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'When it begins. null: always, until a later one.',
        resolve: (one) => one.from,
      }),
      checkedAt: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'The day on which a published price was checked. null: it is not published.',
        resolve: (one) => one.checkedAt,
      }),
      isFree: t.boolean({
        description: 'Whether calls cost nothing.',
        resolve: (one) => one.isFree ?? false,
      }),
      rates: t.field({ type: rates, nullable: true, resolve: (one) => one.rates }),
      over: t.field({ type: [long], resolve: ({ over = [] }) => [...over] }),
      search: t.field({
        type: 'Amount',
        nullable: true,
        description: 'USD for a web search. null: none is known.',
        resolve: ({ units }) => textOf(units?.search),
      }),
      units: t.field({
        type: [unit],
        description: 'The prices of images, of seconds of video and audio, and of characters.',
        resolve: ({ units = {} }) => listUnits(units),
      }),
      tiers: t.field({
        type: [tier],
        resolve: ({ tiers = {} }) =>
          Object.entries(tiers).map(([name, factor]) =>
            typeof factor === 'object' ? { tier: name, factors: factor } : { tier: name, factor },
          ),
      }),
      accountIds: t.idList({
        description: 'The enabled accounts that name the model, which it is for.',
        resolve: (one) => [...one.accountIds],
      }),
      ...versionFields(t),
    }),
  })
  builder.queryField('prices', (t) =>
    t.connection(
      {
        type: price,
        description:
          'The prices of the store and the configuration file, the published ones of models that accounts name, and such models without a price, in the order of the models.',
        authScopes,
        args: {
          provider: t.arg.string({ description: 'Only prices for accounts of a provider.' }),
          unpriced: t.arg.boolean({
            description: 'true: only models without a price. false: only prices.',
          }),
        },
        complexity: complexityOfSearch,
        async resolve(_root, page, context) {
          await catchUpWith(context, 'prices', context.services.running.prices)
          const all = await listPriceViews(context.services, page)
          const idOf = ({ id }: PriceView) => id
          return pageOf(page, idOf, (part) => sliceAfter(all, idOf, part))
        },
      },
      ...namedAfter('Price'),
    ),
  )
  const ratesInput = builder.inputType('PriceRatesInput', {
    description: 'USD for a million tokens of each class, or factors: from 0, at most 6 decimals.',
    fields: (t) =>
      Object.fromEntries(classes.map((name) => [name, t.field({ type: 'Amount' })])) as Record<
        TokenClass,
        ReturnType<typeof t.field<'Amount', false>>
      >,
  })
  const longInput = builder.inputType('LongPromptRatesInput', {
    fields: (t) => ({
      inputTokens: t.field({ type: 'Count', required: true }),
      rates: t.field({ type: ratesInput, required: true }),
    }),
  })
  const tierInput = builder.inputType('TierFactorInput', {
    description: 'Either a factor or factors.',
    fields: (t) => ({
      tier: t.string({ required: true }),
      factor: t.field({ type: 'Amount' }),
      factors: t.field({ type: ratesInput }),
    }),
  })
  const changed = builder.objectRef<PriceChanged>('SetPriceSuccess').implement({
    authScopes,
    fields: (t) => ({
      price: t.field({ type: price, nullable: true, resolve: (one) => one.price }),
      warnings: t.stringList({
        description: 'What is probably mistaken.',
        resolve: (one) => [...one.warnings],
      }),
      dryRun: t.exposeBoolean('dryRun', { description: 'Whether nothing was changed.' }),
    }),
  })
  const target = ({
    model,
    accountId,
    provider,
  }: {
    model: string
    accountId?: string | null | undefined
    provider?: string | null | undefined
  }) => ({
    type: 'price',
    id: [accountId ?? provider, model].filter((part) => typeof part === 'string').join(' '),
  })
  addAct(builder, {
    name: 'setPrice',
    description:
      'Sets the price of a model, as a whole, for calls that end from now on. Every process has it within two seconds.',
    role: 'admin',
    action: 'price.set',
    input: builder.inputType('SetPriceInput', {
      fields: (t) => ({
        model: t.string({
          required: true,
          description:
            'The own name that accounts have for it. It is also for names with a date behind it.',
        }),
        accountId: t.id({ description: 'Only this account. Absent: all.' }),
        provider: t.string({ description: 'Only accounts of this provider. Absent: all.' }),
        from: t.field({
          type: 'DateTime',
          description: 'When it begins. Absent: at once, until one with a later time.',
        }),
        rates: t.field({ type: ratesInput, description: 'Absent: only units have a price.' }),
        isFree: t.boolean({
          description: 'true: calls cost nothing, and there is no other price.',
        }),
        over: t.field({ type: [longInput], description: 'Other rates of long prompts.' }),
        search: t.field({ type: 'Amount', description: 'USD for a web search.' }),
        units: t.field({
          type: [unitInput],
          description: 'The prices of images, of seconds of video and audio, and of characters.',
        }),
        tiers: t.field({ type: [tierInput] }),
        expectedVersion: t.int({
          description: 'The version that was read; 0: the price is new. Absent: any.',
        }),
        dryRun: t.boolean({ description: 'true: checks the input, and changes nothing.' }),
        reason: t.string({ description: 'For the audit record.' }),
      }),
    }),
    success: changed,
    target,
    async run({ model, accountId, provider, from, expectedVersion, dryRun, ...input }, context) {
      const { services, principal } = context
      const units = input.units ?? []
      const problems = unitProblems(units)
      if (problems.length > 0) return invalid(problems)
      const price = {
        model,
        ...defined({
          isFree: input.isFree ? (true as const) : undefined,
          rates: input.rates ? ratesOf(input.rates) : undefined,
          accountId: accountId ?? undefined,
          provider: provider ?? undefined,
          from: from ?? undefined,
          over: input.over?.map((one) => ({ ...one, rates: ratesOf(one.rates) })),
          units: settingOfUnits(units, input.search ?? undefined),
          tiers: input.tiers ? Object.fromEntries(input.tiers.map(tierOf)) : undefined,
        }),
      }
      return setPrice(services, { ...price, expectedVersion, dryRun }, actorOf(principal))
    },
  })
  addAct(builder, {
    name: 'removePrice',
    description:
      'Deletes a price of the store. The prices of the configuration file and the published prices apply again.',
    role: 'admin',
    action: 'price.remove',
    input: builder.inputType('RemovePriceInput', {
      fields: (t) => ({
        model: t.string({ required: true }),
        accountId: t.id({ description: 'As it was set.' }),
        provider: t.string({ description: 'As it was set.' }),
        from: t.field({ type: 'DateTime', description: 'As it was set.' }),
        expectedVersion: t.int({ description: 'The version that was read. Absent: any.' }),
        reason: t.string({ required: true, description: 'For the audit record.' }),
      }),
    }),
    success: builder.objectRef<{ model: string }>('RemovePriceSuccess').implement({
      authScopes,
      fields: (t) => ({ model: t.exposeString('model') }),
    }),
    target,
    run: ({ model, accountId, provider, from, expectedVersion }, { services }) =>
      removePrice(services, {
        model,
        accountId: accountId ?? undefined,
        provider: provider ?? undefined,
        from: from ?? undefined,
        expectedVersion,
      }),
  })
}

/** The object `PriceRates` of a schema. The first call adds it. */
export const priceRatesOf = computedOnce((builder: AdminBuilder) =>
  builder.objectRef<Rates>('PriceRates').implement({
    description:
      'USD for a million tokens of each class, or factors of such rates. null: the class has none, and costs with such tokens are unknown.',
    authScopes: { viewer: true },
    fields: (t) =>
      Object.fromEntries(
        classes.map((name) => [
          name,
          t.field({ type: 'Amount', nullable: true, resolve: (one) => textOf(one[name]) }),
        ]),
      ),
  }),
)

/** Rates of the configuration may be numbers. */
function textOf(rate: Decimal | null | undefined): string | null {
  return rate === undefined || rate === null ? null : String(rate)
}

function ratesOf(rates: Rates): Partial<Record<TokenClass, Decimal>> {
  return Object.fromEntries(Object.entries(rates).filter(([, rate]) => rate !== null))
}

function tierOf({
  tier,
  factor,
  factors,
}: Tier): [string, Decimal | Partial<Record<TokenClass, Decimal>>] {
  return [tier, factors ? ratesOf(factors) : (factor ?? '')]
}
