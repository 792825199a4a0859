import { useState } from 'react'

import { duration } from '../../format/durations.ts'
import { money } from '../../format/money.ts'
import { compact, count, counted, share } from '../../format/numbers.ts'
import { clock } from '../../format/time.ts'
import { Chart } from '../../ui/Chart.tsx'
import { Figure, Figures } from '../../ui/Figure.tsx'
import { Bars } from '../../ui/Bars.tsx'
import { Card } from '../../ui/Card.tsx'
import { type PulseFacts, figuresOf, withGaps } from './pulse.ts'
import type { PulseMinute, PulseSample } from './types.ts'

const callTones = ['accent']
const failureTones = ['bad']

/** How much is going on: calls, failures, first output and calls in flight of ten minutes. */
export function PulseFigures({
  samples: known,
  minute,
  isLoading,
  isWhole,
}: {
  readonly samples: readonly PulseSample[] | undefined
  readonly minute: PulseMinute | undefined
  readonly isLoading: boolean
  /** Whether all processes have answered. */
  readonly isWhole: boolean
}) {
  const [point, setPoint] = useState<number | null>(null)
  if (!known) return <Card title="Figures">{isLoading ? <Bars lines={4} /> : 'Not known.'}</Card>
  const samples = withGaps(known)
  const valuesOf = (read: (sample: PulseSample) => number | null | undefined) =>
    samples.map((sample) => ('calls' in sample ? (read(sample) ?? null) : null))
  const times = samples.map(({ at }) => Date.parse(at) / 1_000)
  const figures = figuresOf(samples, point, minute)
  const at = point === null ? undefined : samples[point]?.at
  const when = at === undefined ? 'in the last minute' : `from ${clock(at)}, 5 s`
  const chart = { times, cursorKey: 'overview', onPoint: setPoint }
  const known50 = figures?.firstOutputP50 ?? undefined
  const known95 = figures?.firstOutputP95 ?? undefined
  return (
    <Figures>
      <Figure
        name="Calls"
        value={figures && compact(figures.rate)}
        unit="a second"
        note={figures && `${counted(figures.calls, 'call')} ${when}${costOf(figures)}`}
      >
        <Chart
          {...chart}
          label="Calls a second"
          lines={[{ name: 'Calls a second', values: valuesOf(({ calls }) => calls / 5) }]}
          tones={callTones}
          isArea
          format={compact}
        />
      </Figure>
      <Figure
        name="Failures"
        value={figures && count(figures.failures)}
        unit={figures?.failures === 1 ? 'call' : 'calls'}
        isBad={(figures?.failures ?? 0) > 0}
        note={failuresNote(figures, when, isWhole)}
      >
        <Chart
          {...chart}
          label="Failures in 5 s"
          lines={[{ name: 'Failures', values: valuesOf(({ failures }) => failures) }]}
          tones={failureTones}
          isArea
          format={count}
        />
      </Figure>
      <Figure
        name="First output"
        value={known50 === undefined ? undefined : duration(known50)}
        unit="median"
        note={
          known95 === undefined
            ? figures && isWhole && `No call had output ${when}`
            : `p95 ${duration(known95)} ${when}`
        }
      >
        <Chart
          {...chart}
          label="Median time to the first output, in milliseconds"
          lines={[
            {
              name: 'First output, ms',
              values: valuesOf(({ firstOutputP50 }) => firstOutputP50),
            },
          ]}
          tones={callTones}
          format={duration}
        />
      </Figure>
      <Figure
        name="In flight"
        value={figures && count(figures.inFlight)}
        unit={figures?.inFlight === 1 ? 'call' : 'calls'}
        note={
          figures &&
          (at === undefined ? 'at the end of the last 5 s' : `at ${clock(Date.parse(at) + 5_000)}`)
        }
      >
        <Chart
          {...chart}
          label="Calls in flight"
          lines={[{ name: 'In flight', values: valuesOf(({ inFlight }) => inFlight) }]}
          tones={callTones}
          isArea
          format={count}
        />
      </Figure>
    </Figures>
  )
}

/** What the calls cost, as far as it is known. */
function costOf({ cost, unpriced }: PulseFacts): string {
  if (cost === 0) return unpriced > 0 ? ', of unknown cost' : ''
  return unpriced > 0 ? `, ${money(cost)} and more` : `, ${money(cost)}`
}

/** The share of the failures, and how many calls were at fault themselves. */
function failuresNote(
  figures: PulseFacts | undefined,
  when: string,
  isWhole: boolean,
): string | undefined {
  if (!figures) return undefined
  const { failures, clientErrors, calls } = figures
  const part = share(failures, calls)
  if (part === undefined) return isWhole ? `No call ended ${when}` : undefined
  return `${part} ${when}${clientErrors > 0 ? `; ${count(clientErrors)} got 4xx` : ''}`
}
