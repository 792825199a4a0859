import { useWhyNot } from '../../api/session.ts'
import { duration } from '../../format/durations.ts'
import { count, unknownCell } from '../../format/numbers.ts'
import { processLook } from '../../processes/looks.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { State } from '../../ui/State.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import type { ConfigurationPageQuery } from './operations.generated.ts'

type Process = ConfigurationPageQuery['gateway']['processes'][number]

/** The processes of the gateway: do they run the same configuration, and are they well? */
export function ProcessesCard({
  processes,
  answering,
  isComplete,
  onDrain,
  ...rest
}: {
  readonly processes: readonly Process[] | undefined
  /** The process that answers. */
  readonly answering: string | undefined
  readonly isComplete: boolean | undefined
  readonly isLoading: boolean
  readonly isWhole: boolean
  /** Undefined: all processes. */
  readonly onDrain: (processId: string | undefined) => void
}) {
  const whyNot = useWhyNot('startDrain')
  const hashes = new Set(processes?.map(({ configuration }) => configuration.hash))
  return (
    <Card
      isFlush
      title="Processes"
      aside={
        <Button isSmall kind="danger" whyNot={whyNot} onClick={() => onDrain(undefined)}>
          Drain all
        </Button>
      }
    >
      {isComplete === false && (
        <Notice tone="warn">There may be more processes: the store does not list them all.</Notice>
      )}
      {hashes.size > 1 && (
        <Notice tone="warn">
          The processes have {hashes.size} different configurations: one of them has not reloaded,
          or reads another file.
        </Notice>
      )}
      <Table
        {...rest}
        label="Processes"
        rows={processes}
        rowKey={({ id }) => id}
        columns={columnsOf(answering, whyNot, onDrain)}
      />
    </Card>
  )
}

function columnsOf(
  answering: string | undefined,
  whyNot: string | undefined,
  onDrain: (processId: string) => void,
): readonly Column<Process>[] {
  return [
    {
      id: 'process',
      head: 'Process',
      isHead: true,
      cell: ({ id, host, pid, worker }) => (
        <>
          <span className="mono wrap-anywhere">{id}</span>
          <p className="secondary">
            {[
              `${host}, pid ${pid}`,
              typeof worker === 'number' && `worker ${worker}`,
              id === answering && 'answers this page',
            ]
              .filter(Boolean)
              .join(', ')}
          </p>
        </>
      ),
    },
    { id: 'state', head: 'State', cell: (process) => <State look={processLook(process)} /> },
    {
      id: 'flight',
      head: 'In flight',
      isNumber: true,
      isWide: true,
      cell: ({ inFlight, stale }) => (stale ? unknownCell : count(inFlight)),
    },
    {
      id: 'lag',
      head: 'Loop delay',
      isNumber: true,
      isWide: true,
      cell: ({ loopLagMs, stale }) => (stale ? unknownCell : duration(loopLagMs)),
    },
    {
      id: 'started',
      head: 'Started',
      isWide: true,
      cell: ({ startedAt, version }) => (
        <>
          <Time at={startedAt} />
          <p className="secondary">version {version}</p>
        </>
      ),
    },
    {
      id: 'configuration',
      head: 'Configuration',
      isWide: true,
      cell: ({ configuration: { hash, problems } }) => (
        <>
          <code>{hash.slice(0, 8)}</code>
          {problems.length > 0 && <p className="secondary">refused the last reload</p>}
        </>
      ),
    },
    {
      id: 'acts',
      head: <span className="hidden-label">Acts</span>,
      isNumber: true,
      cell: ({ id, draining }) =>
        !draining && (
          <Button
            isSmall
            kind="danger"
            whyNot={whyNot}
            aria-label={`Drain ${id}`}
            onClick={() => onDrain(id)}
          >
            Drain
          </Button>
        ),
    },
  ]
}
