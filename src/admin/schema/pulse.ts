import { percentile } from '../../history/series.ts'
import { formatUsd } from '../../lib/usd.ts'
import { type SumName, histogramOf } from '../../stores/ledger-sums.ts'
import type { AdminBuilder } from '../builder.ts'
import { noteMissingProcesses } from '../incomplete.ts'
import { actorOf } from '../principal.ts'
import { type MergedSample, gatherPulse, joinSamples, sampleMs } from '../processes/pulse.ts'
import { badInput } from '../store-errors.ts'

const authScopes = { viewer: true }

/** Pulse goes back so many minutes. */
const mostMinutes = 10

const usualStep = sampleMs / 1_000

/** Adds `pulse`: the last minutes of all processes together. */
export function addPulse(builder: AdminBuilder): void {
  const sample = pulseSample(builder)
  builder.queryField('pulse', (t) =>
    t.field({
      type: [sample],
      description:
        'The last minutes of all processes together, the oldest first, up to the last five seconds that all of them have counted. The figures of samples with another `step` are those of the same calls.',
      authScopes,
      complexity: 120,
      args: {
        minutes: t.arg.int({ defaultValue: mostMinutes, description: 'From 1 to 10.' }),
        step: t.arg.int({
          defaultValue: usualStep,
          description: 'Seconds of a sample: a multiple of 5, up to 600.',
        }),
      },
      async resolve(_root, { minutes, step }, context, info) {
        const size = minutes ?? mostMinutes
        const seconds = step ?? usualStep
        if (size < 1 || size > mostMinutes)
          throw badInput(`\`minutes\` is from 1 to ${mostMinutes}.`)
        if (seconds < usualStep || seconds > mostMinutes * 60 || seconds % usualStep !== 0)
          throw badInput('`step` is a multiple of 5 from 5 to 600.')
        const { services, principal } = context
        const now = services.now()
        const { samples, unanswered } = await gatherPulse(services.processes, {
          asker: actorOf(principal),
          now,
          // A sample more, for what has not been counted yet.
          since: now - size * 60_000 - 2 * sampleMs,
        })
        noteMissingProcesses(context, info, unanswered)
        const last = samples.slice(-(size * 60_000) / sampleMs)
        return joinSamples(last, seconds * 1_000)
      },
    }),
  )
}

function pulseSample(builder: AdminBuilder) {
  const sumOf =
    (...names: SumName[]) =>
    ({ sums }: MergedSample) =>
      names.reduce((sum, name) => sum + (sums[name] ?? 0), 0)
  const of = (name: 'first' | 'duration', share: number) => ({
    nullable: true as const,
    resolve: ({ sums }: MergedSample) => percentile(histogramOf(sums, name), share),
  })
  return builder.objectRef<MergedSample>('PulseSample').implement({
    description: 'Five seconds, or a multiple of them.',
    authScopes,
    fields: (t) => ({
      at: t.expose('at', { type: 'DateTime', description: 'Their beginning.' }),
      processes: t.exposeInt('processes', {
        description: 'The number of processes that it counts.',
      }),
      calls: t.field({
        type: 'Count',
        description: 'Exchanges that ended.',
        resolve: sumOf('calls'),
      }),
      failures: t.field({
        type: 'Count',
        description: 'Exchanges with a status of 500 or above, or with a broken stream.',
        resolve: sumOf('serverError', 'broken'),
      }),
      clientErrors: t.field({
        type: 'Count',
        description: 'Exchanges with a status from 400 to 499, 429 among them.',
        resolve: sumOf('clientError', 'rateLimited'),
      }),
      rateLimited: t.field({
        type: 'Count',
        description: 'Exchanges with the status 429.',
        resolve: sumOf('rateLimited'),
      }),
      clientsGone: t.field({
        type: 'Count',
        description: 'Exchanges whose client left before the end.',
        resolve: sumOf('clientGone'),
      }),
      firstOutputP50: t.float({
        ...of('first', 0.5),
        description: 'The median time to the first output; null if nothing had any.',
      }),
      firstOutputP95: t.float(of('first', 0.95)),
      durationP50: t.float(of('duration', 0.5)),
      durationP95: t.float(of('duration', 0.95)),
      inputTokens: t.field({ type: 'Count', resolve: sumOf('inputTokens') }),
      outputTokens: t.field({ type: 'Count', resolve: sumOf('outputTokens') }),
      cost: t.string({
        description: 'US dollars, without the exchanges in `unpriced`.',
        resolve: ({ sums }) => formatUsd(sums.costNano ?? 0),
      }),
      unpriced: t.field({
        type: 'Count',
        description: 'Exchanges whose cost is unknown.',
        resolve: sumOf('unpriced'),
      }),
      inFlight: t.expose('inFlight', { type: 'Count', description: 'At their end.' }),
    }),
  })
}
