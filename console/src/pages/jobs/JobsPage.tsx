import { Link, getRouteApi, useNavigate } from '@tanstack/react-router'

import { useLive } from '../../api/live.ts'
import { useAnswer, useRefreshOnEvents } from '../../api/query.ts'
import { textsOf } from '../../app/search-texts.ts'
import { Beside } from '../../ui/Beside.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { FieldFilters } from '../../ui/FieldFilters.tsx'
import { Filters } from '../../ui/Filters.tsx'
import { AccountLink, KeyLink } from '../../ui/links.tsx'
import { ListCard } from '../../ui/ListCard.tsx'
import { AnswerNotices } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Filter } from '../../ui/Select.tsx'
import { State } from '../../ui/State.tsx'
import type { Column } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { JobDetail } from './JobDetail.tsx'
import { type Job, jobKind, jobLook } from './looks.ts'
import { Jobs, JobsLive } from './operations.generated.ts'
import { type JobsSearch, jobStates } from './search.ts'

const route = getRouteApi('/jobs')

const fields = [
  ['keyId', 'Key'],
  ['accountId', 'Account'],
] as const

const names = fields.map(([name]) => name)

/** Which videos and batches are under way, for whom, where, and how far are they? */
export function JobsPage() {
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/jobs' })
  const { state, after, id } = search
  const filter = { ...(state && { state }), ...textsOf({ ...search }, names) }
  const page = useAnswer(Jobs, { filter, after: after ?? null }, { every: 15_000 })
  const refresh = useRefreshOnEvents(page.refresh)
  useLive(JobsLive, {}, { onEvents: refresh, onGap: refresh })
  // Clients have another beginning of its id.
  const chosen = page.data?.jobs?.edges.find(({ node }) => `_${id}`.endsWith(`_${node.id}`))
  const show = (change: JobsSearch) =>
    void navigate({ search: (former) => ({ ...former, after: undefined, ...change }) })
  return (
    <Beside
      label="Job"
      open={id}
      detail={id !== undefined && <JobDetail key={id} id={id} onDone={page.refresh} />}
      onClose={() => void navigate({ search: (former) => ({ ...former, id: undefined }) })}
    >
      <PageHead title="Jobs" />
      <Filters active={Object.keys(filter).length}>
        <Filter
          label="State"
          value={state ?? ''}
          options={['', ...jobStates.map((value) => ({ value, name: jobLook(value).word }))]}
          onChange={(value) => show({ state: jobStates.find((one) => one === value) })}
        />
        <FieldFilters fields={fields} values={search} onChange={show} />
      </Filters>
      <AnswerNotices page={page} names={{ jobs: 'the jobs' }} />
      <ListCard
        label="Jobs"
        page={page}
        field="jobs"
        list={page.data?.jobs}
        after={after}
        onPage={(after) => show({ after })}
        rowKey={({ id }) => id}
        columns={columns}
        chosen={chosen?.node.id}
        empty={
          Object.keys(filter).length > 0 ? (
            <Empty title="No such job">No job has all of these.</Empty>
          ) : (
            <Empty title="There is no job">
              A job is a video that an account makes, or a batch of requests. A video is here until
              its result expires.
            </Empty>
          )
        }
      />
    </Beside>
  )
}

const columns: readonly Column<Job>[] = [
  {
    id: 'job',
    head: 'Job',
    isHead: true,
    cell: ({ id, kind }) => (
      <>
        <Link
          from="/jobs"
          to="/jobs"
          search={(former) => ({ ...former, id })}
          className="mono quiet-link wrap-anywhere"
        >
          {id}
        </Link>
        <p className="secondary">{jobKind(kind)}</p>
      </>
    ),
  },
  {
    id: 'state',
    head: 'State',
    cell: ({ state, progress, error }) => (
      <>
        <State look={jobLook(state)}>{state === 'IN_PROGRESS' ? `${progress} %` : undefined}</State>
        {error && <p className="secondary">{error.code}</p>}
      </>
    ),
  },
  { id: 'model', head: 'Model', isWide: true, cell: ({ model }) => <code>{model}</code> },
  {
    id: 'account',
    head: 'Account',
    isWide: true,
    cell: ({ accountId, account }) => <AccountLink id={accountId} isGone={!account} />,
  },
  {
    id: 'key',
    head: 'Key',
    isWide: true,
    cell: ({ keyId: id }) => <KeyLink id={id} />,
  },
  {
    id: 'created',
    head: 'Begun',
    isNumber: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
]
