import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { useChanges } from '../../api/changes.ts'
import { useAnswer } from '../../api/query.ts'
import { useWhyNot } from '../../api/session.ts'
import { LimitsCard } from '../../limits/LimitsCard.tsx'
import { SetLimit } from '../../limits/SetLimit.tsx'
import type { SubjectType } from '../../limits/words.ts'
import { Button } from '../../ui/Button.tsx'
import { AnswerNotices, isWhole } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { Filters } from '../../ui/Filters.tsx'
import { Filter } from '../../ui/Select.tsx'
import { Limits } from './operations.generated.ts'

const route = getRouteApi('/limits')

/** So many limits are on a page. */
const pageSize = 100

/** Which limits are there, and how much of each is spent? */
export function LimitsPage() {
  const { of, after } = route.useSearch()
  const navigate = useNavigate({ from: '/limits' })
  const [isNew, setIsNew] = useState(false)
  const whyNot = useWhyNot('setLimit')
  const page = useAnswer(Limits, { after: after ?? null }, { every: 5_000 })
  useChanges(['LIMITS'], page.refresh)
  const all = page.data?.limits
  const limits = all?.filter(({ subject }) => of === undefined || subject.type === of)
  const last = all?.at(-1)
  return (
    <>
      <PageHead
        title="Limits"
        acts={
          <Button kind="main" whyNot={whyNot} onClick={() => setIsNew(true)}>
            Set a limit
          </Button>
        }
      />
      <Filters active={of === undefined ? 0 : 1}>
        <Filter
          label="Of"
          value={of ?? ''}
          options={[
            '',
            { value: 'KEY', name: 'keys' },
            { value: 'TEAM', name: 'teams' },
            { value: 'ACCOUNT', name: 'accounts' },
            { value: 'GATEWAY', name: 'the gateway' },
          ]}
          onChange={(value) =>
            void navigate({
              search: (former) => ({ ...former, of: (value || undefined) as SubjectType }),
            })
          }
        />
      </Filters>
      <AnswerNotices page={page} names={{ limits: 'the limits' }} />
      <LimitsCard
        limits={limits}
        isLoading={page.isLoading}
        isWhole={isWhole(page, 'limits') && (all?.length ?? 0) < pageSize}
        isFiltered={of !== undefined || after !== undefined}
        onDone={page.refresh}
      >
        <Pager
          after={after}
          next={all?.length === pageSize ? last?.id : undefined}
          onPage={(after) => void navigate({ search: (former) => ({ ...former, after }) })}
        />
      </LimitsCard>
      {isNew && <SetLimit onClose={() => setIsNew(false)} onDone={page.refresh} />}
    </>
  )
}
