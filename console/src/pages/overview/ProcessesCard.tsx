import { count, unknownCell } from '../../format/numbers.ts'
import { duration } from '../../format/durations.ts'
import { Card } from '../../ui/Card.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { processLook, processName } from '../../processes/looks.ts'
import type { OverviewGateway } from './types.ts'

/** A turn of the event loop that takes longer delays all calls of its process. */
const longTurnMs = 100

/** Which processes serve, and whether they agree. */
export function ProcessesCard({
  gateway,
  isLoading,
}: {
  readonly gateway: OverviewGateway | undefined
  readonly isLoading: boolean
}) {
  const hashes = new Set(gateway?.processes.map(({ configuration }) => configuration.hash))
  const isOne = hashes.size <= 1
  const isAlone = (gateway?.processes.length ?? 0) < 2
  return (
    <Card
      isFlush
      title="Processes"
      aside={
        isAlone
          ? undefined
          : isOne
            ? 'All have the same configuration.'
            : 'Their configurations differ.'
      }
    >
      <Table
        label="Processes"
        rows={gateway?.processes}
        rowKey={({ id }) => id}
        isLoading={isLoading}
        columns={[
          {
            id: 'process',
            head: 'Process',
            isHead: true,
            cell: (one) => <span className="mono wrap-anywhere">{processName(one)}</span>,
          },
          {
            id: 'state',
            head: 'State',
            cell: (one) => (
              <State look={processLook(one)}>
                {one.stale && (
                  <>
                    since <Time at={one.at} />
                  </>
                )}
              </State>
            ),
          },
          { id: 'version', head: 'Version', isWide: true, cell: ({ version }) => version },
          {
            id: 'configuration',
            head: 'Configuration',
            isWide: true,
            cell: ({ configuration: { hash } }) => (
              <span className={isOne ? 'mono muted' : 'mono'} title={hash}>
                {hash.slice(0, 8)}
              </span>
            ),
          },
          {
            id: 'since',
            head: 'Since',
            isWide: true,
            cell: ({ startedAt }) => <Time at={startedAt} />,
          },
          {
            id: 'lag',
            head: 'Loop delay',
            isNumber: true,
            isWide: true,
            cell: ({ loopLagMs, stale }) =>
              stale ? (
                unknownCell
              ) : (
                <span className={loopLagMs > longTurnMs ? 'share-much' : undefined}>
                  {duration(loopLagMs)}
                </span>
              ),
          },
          {
            id: 'flight',
            head: 'In flight',
            isNumber: true,
            cell: ({ inFlight, stale }) => (stale ? unknownCell : count(inFlight)),
          },
        ]}
      />
    </Card>
  )
}
