import { getRouteApi, useNavigate } from '@tanstack/react-router'

import { CallDetail } from '../../calls/CallDetail.tsx'
import { useAnswer } from '../../api/query.ts'
import { count } from '../../format/numbers.ts'
import { Beside } from '../../ui/Beside.tsx'
import { FieldFilters } from '../../ui/FieldFilters.tsx'
import { Filters } from '../../ui/Filters.tsx'
import { isWhole } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Filter } from '../../ui/Select.tsx'
import { Switch } from '../../ui/Switch.tsx'
import './calls.css'
import { EndedCard } from './EndedCard.tsx'
import { InFlightCard } from './InFlightCard.tsx'
import { CallsInFlight } from './operations.generated.ts'
import { type CallsSearch, filterOf, outcomes } from './search.ts'

const route = getRouteApi('/calls')

const fields = [
  ['model', 'Model'],
  ['keyId', 'Key'],
  ['triedAccountId', 'Account'],
  ['team', 'Team'],
  ['dialect', 'Dialect'],
  ['from', 'Began from', 'moment'],
  ['to', 'Began before', 'moment'],
] as const

const slow = [
  { value: '', name: 'any' },
  { value: '1000', name: 'over 1 s' },
  { value: '10000', name: 'over 10 s' },
  { value: '60000', name: 'over 1 min' },
]

/** Which calls are in flight, how did the last ones end, and why? */
export function CallsPage() {
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/calls' })
  const { show, outcome, minMs, open } = search
  const isEnded = show === 'ended'
  const flying = useAnswer(CallsInFlight, { filter: filterOf(search) }, { every: 5_000 })
  const change = (change: CallsSearch) =>
    void navigate({ search: (former) => ({ ...former, after: undefined, ...change }) })
  return (
    <Beside
      label="Call"
      open={open}
      detail={open !== undefined && <CallDetail key={open} id={open} />}
      onClose={() => void navigate({ search: (former) => ({ ...former, open: undefined }) })}
    >
      <PageHead title="Calls" />
      <Filters
        active={Object.keys(filterOf(search)).length}
        more={<FieldFilters fields={fields} values={search} onChange={change} />}
        main={
          <Switch
            label="Which calls"
            value={isEnded ? 'ended' : 'flight'}
            options={[
              {
                value: 'flight',
                name: 'In flight',
                count: isWhole(flying, 'exchanges') ? flying.data?.exchanges.length : undefined,
              },
              { value: 'ended', name: 'Ended' },
            ]}
            onChange={(value) => change({ show: value === 'ended' ? value : undefined })}
          />
        }
      >
        <Filter
          label="Outcome"
          value={outcome ?? ''}
          options={['', ...outcomes]}
          onChange={(value) =>
            change({
              outcome: outcomes.find((one) => one.value === value)?.value,
              ...(value !== '' && { show: 'ended' }),
            })
          }
        />
        <Filter
          label="Time"
          value={minMs === undefined ? '' : String(minMs)}
          options={slow}
          onChange={(value) => change({ minMs: value === '' ? undefined : Number(value) })}
        />
      </Filters>
      {isEnded ? (
        <EndedCard search={search} onPage={(after) => change({ after })} />
      ) : (
        <InFlightCard search={search} page={flying} />
      )}
      <p className="secondary">
        {isEnded
          ? `Of each process, the last ${count(1_000)} calls; a call of the last 30 days is found by its id.`
          : 'Of each process, the 200 oldest at most.'}
      </p>
    </Beside>
  )
}
