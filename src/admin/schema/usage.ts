import { TooMuch } from '../../history/read-sums.ts'
import {
  type Series,
  metricNames,
  mostLines,
  mostPoints,
  percentile,
  readSeries,
} from '../../history/series.ts'
import {
  type UsageDimension,
  type UsageReport,
  type UsageRow,
  dimensions,
  memberOf,
  readUsage,
} from '../../history/usage.ts'
import { defined } from '../../lib/json/object.ts'
import { formatUsd } from '../../lib/usd.ts'
import { type SumName, failureNames, histogramOf } from '../../stores/ledger-sums.ts'
import type { AdminBuilder } from '../builder.ts'
import { effortOfWalk } from '../connections.ts'
import { readStore } from '../read-store.ts'
import { badInput } from '../store-errors.ts'

const authScopes = { viewer: true }

/** The longest time of a question, in milliseconds. */
const longestMs = 400 * 24 * 60 * 60_000

/** Adds `usage` and `series`: what calls have used and cost. */
export function addUsage(builder: AdminBuilder): void {
  const dimension = builder.enumType('UsageDimension', {
    description: 'The dimensions that usage is grouped by. Days and hours are of UTC.',
    values: dimensions,
  })
  const filter = builder.inputType('UsageFilter', {
    description: 'All members that are given must apply.',
    fields: (t) => ({ keyId: t.id(), team: t.id(), model: t.string(), accountId: t.id() }),
  })
  const report = addReport(builder)
  builder.queryField('usage', (t) =>
    t.field({
      type: report,
      // While the store is away, the others of the operation are answered.
      nullable: true,
      description:
        'What calls have used and cost, of whole minutes of the last three hours, whole ten minutes of the last three days, whole hours of the last 90 days, and whole days before.',
      authScopes,
      complexity: effortOfWalk,
      args: {
        from: t.arg({ type: 'DateTime', required: true, description: 'The first moment.' }),
        to: t.arg({ type: 'DateTime', required: true, description: 'The moment behind the last.' }),
        by: t.arg({ type: [dimension], required: false }),
        filter: t.arg({ type: filter, required: false }),
      },
      resolve: (_root, args, context) =>
        readStore(context, (signal) => {
          const { running, now } = context.services
          const query = { ...rangeOf(args), by: args.by ?? [], filter: filterOf(args.filter) }
          return orTooMuch(readUsage(running.store.ledger(), { ...query, now: now() }, signal))
        }),
    }),
  )
  const series = addSeries(builder)
  const metric = builder.enumType('UsageMetric', {
    description:
      'TOKENS are of prompts and replies, COST is in US dollars, and times are in milliseconds: of the first output and of the whole call.',
    values: metricNames,
  })
  const step = builder.enumType('UsageStep', {
    description:
      'Minutes are stored for three hours, ten minutes for three days, hours for 90 days.',
    values: {
      MINUTE: { value: 'minute' },
      TEN_MINUTES: { value: 'tenMinutes' },
      HOUR: { value: 'hour' },
      DAY: { value: 'day' },
    } as const,
  })
  builder.queryField('series', (t) =>
    t.field({
      type: series,
      nullable: true,
      description: `What calls have used over time: at most ${mostPoints} points of ${mostLines} lines and one of all others.`,
      authScopes,
      complexity: effortOfWalk,
      args: {
        metric: t.arg({ type: metric, required: true }),
        by: t.arg({
          type: [dimension],
          required: false,
          description: 'One of KEY, TEAM, MODEL and ACCOUNT. Absent: one line of all calls.',
        }),
        from: t.arg({ type: 'DateTime', required: true, description: 'The first moment.' }),
        to: t.arg({ type: 'DateTime', required: true, description: 'The moment behind the last.' }),
        step: t.arg({
          type: step,
          required: false,
          description: 'Absent: the finest one that has few enough points.',
        }),
        top: t.arg.int({
          required: false,
          description: `The largest lines, from 1 to ${mostLines}.`,
        }),
        filter: t.arg({ type: filter, required: false }),
      },
      resolve: (_root, args, context) =>
        readStore(context, async (signal) => {
          const { running, now } = context.services
          const { top = mostLines } = defined({ top: args.top ?? undefined })
          if (top < 1 || top > mostLines) throw badInput(`\`top\` is from 1 to ${mostLines}.`)
          const query = {
            ...rangeOf(args),
            metric: args.metric,
            by: lineOf(args.by ?? []),
            filter: filterOf(args.filter),
            step: args.step ?? undefined,
            top,
            now: now(),
          }
          const found = await orTooMuch(readSeries(running.store.ledger(), query, signal))
          if (found) return found
          throw badInput(
            `The step has more than ${mostPoints} points, or is not stored since \`from\`: choose a larger one.`,
          )
        }),
    }),
  )
}

function addReport(builder: AdminBuilder) {
  const sumOf =
    (...names: readonly SumName[]) =>
    ({ sums }: UsageRow) =>
      names.reduce((sum, name) => sum + (sums[name] ?? 0), 0)
  const row = builder.objectRef<UsageRow>('UsageRow').implement({
    description:
      'The usage of some calls. Of the members that say whose, it has those that `by` names.',
    authScopes,
    fields: (t) => {
      const count = (description: string, ...names: readonly SumName[]) =>
        t.field({ type: 'Count', description, resolve: sumOf(...names) })
      return {
        key: t.id({ nullable: true, resolve: ({ keyId }) => keyId }),
        team: t.id({ nullable: true, resolve: ({ team }) => team }),
        model: t.string({
          nullable: true,
          description:
            'A name of the configuration, or the pattern of an account that takes the name.',
          resolve: ({ model }) => model,
        }),
        account: t.id({
          nullable: true,
          description:
            'Empty: the call was refused before an account got it, or a plugin answered.',
          resolve: ({ accountId }) => accountId,
        }),
        start: t.field({
          type: 'DateTime',
          nullable: true,
          description: 'The beginning of the day or of the hour.',
          resolve: ({ start }) => start,
        }),
        calls: count('Calls that have ended, refused ones too.', 'calls'),
        failures: count('Calls that failed: the sum of the next five.', ...failureNames),
        clientErrors: count('Answered with a 4xx other than 429.', 'clientError'),
        rateLimited: count('Answered with 429.', 'rateLimited'),
        serverErrors: count('Answered with a 5xx.', 'serverError'),
        broken: count('The client did not get the whole reply.', 'broken'),
        clientGone: count('The client left before the end of the reply.', 'clientGone'),
        retries: count('Attempts that another one followed.', 'retries'),
        inputTokens: count('Tokens of the whole prompts.', 'inputTokens'),
        cachedTokens: count('Tokens of prompts that were read from a cache.', 'cachedTokens'),
        cacheWriteTokens: count(
          'Tokens of prompts that were written to a cache.',
          'cacheWriteTokens',
        ),
        outputTokens: count('Tokens of the whole replies.', 'outputTokens'),
        reasoningTokens: count('Tokens of replies that are reasoning.', 'reasoningTokens'),
        searches: count('Searches that rerank calls were billed for.', 'searches'),
        images: count('Drawn images.', 'images'),
        videoSeconds: count('Seconds of videos.', 'videoSeconds'),
        audioSeconds: count('Seconds of transcribed audio.', 'audioSeconds'),
        characters: count('Characters of spoken texts.', 'characters'),
        cost: t.string({
          description:
            'US dollars, to the last nano-dollar, without the attempts of `unpricedCalls`.',
          resolve: ({ costNano }) => formatUsd(costNano),
        }),
        unpricedCalls: count('Attempts whose cost is unknown.', 'unpriced'),
        estimatedCalls: count(
          'Attempts whose tokens the gateway has estimated: the account has not reported them.',
          'estimated',
        ),
        lostCalls: count('Attempts that could not be stored: no other sum has them.', 'lost'),
        durationP95Ms: t.float({
          nullable: true,
          description: 'Null: no call had a reply.',
          resolve: ({ sums }) => percentile(histogramOf(sums, 'duration'), 0.95),
        }),
      }
    },
  })
  return builder.objectRef<UsageReport>('UsageReport').implement({
    description: 'What calls have used and cost.',
    authScopes,
    fields: (t) => ({
      rows: t.field({
        type: [row],
        description: 'In the order of time, then by cost, at most 5,000.',
        resolve: ({ rows }) => [...rows],
      }),
      totals: t.field({ type: row, resolve: ({ totals }) => totals }),
    }),
  })
}

function addSeries(builder: AdminBuilder) {
  type Line = Series['lines'][number]
  const point = builder.objectRef<Line['points'][number]>('UsagePoint').implement({
    description: 'A bucket of time.',
    authScopes,
    fields: (t) => ({
      at: t.expose('at', { type: 'DateTime', description: 'Its beginning.' }),
      value: t.exposeFloat('value', {
        nullable: true,
        description:
          'Null: unknown. No process has counted in it, or what was counted is lost; a percentile of no calls.',
      }),
      complete: t.boolean({
        description: 'False: a part of what was counted is lost, or nothing was counted.',
        resolve: ({ isComplete }) => isComplete,
      }),
    }),
  })
  const line = builder.objectRef<Line>('UsageLine').implement({
    description: 'The points of a key, a team, a model or an account.',
    authScopes,
    fields: (t) => ({
      label: t.exposeString('label', {
        description: 'An id or a name; `all`, or `other` for all others together. Empty: none.',
      }),
      isOther: t.exposeBoolean('isOther', { description: 'Whether it is of all others.' }),
      points: t.field({ type: [point], resolve: ({ points }) => [...points] }),
    }),
  })
  return builder.objectRef<Series>('UsageSeries').implement({
    description: 'Lines over time.',
    authScopes,
    fields: (t) => ({
      lines: t.field({
        type: [line],
        description: 'The largest first, and the line of all others last.',
        resolve: ({ lines }) => [...lines],
      }),
    }),
  })
}

/** Throws `GraphQLError` for a time that is empty or too long. */
function rangeOf({ from, to }: { readonly from: number; readonly to: number }) {
  if (to >= from && to - from <= longestMs) return { from, to }
  throw badInput('`from` is not behind `to`, and at most 400 days before it.')
}

/** A filter as GraphQL has it. */
type Input<Filter> = { readonly [Name in keyof Filter]: Filter[Name] | null | undefined }

function filterOf(
  filter:
    | Partial<Input<Record<'keyId' | 'team' | 'model' | 'accountId', string>>>
    | null
    | undefined,
) {
  const { keyId, team, model, accountId } = filter ?? {}
  return {
    keyId: keyId ?? undefined,
    team: team ?? undefined,
    model: model ?? undefined,
    accountId: accountId ?? undefined,
  }
}

/** The property that has a line for each of its values. Throws `GraphQLError`. */
function lineOf(by: readonly UsageDimension[]) {
  const [first, ...others] = by
  if (first === undefined) return undefined
  const member = memberOf(first)
  if (member !== undefined && others.length === 0) return member
  throw badInput('`by` of a series is one of KEY, TEAM, MODEL and ACCOUNT.')
}

async function orTooMuch<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    throw error instanceof TooMuch ? badInput(error.message) : error
  }
}
