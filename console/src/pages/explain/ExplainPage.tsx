import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'

import { useAnswer } from '../../api/query.ts'
import { Bars } from '../../ui/Bars.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Field } from '../../ui/Field.tsx'
import { textOf } from '../../ui/form.ts'
import { AnswerNotices, Notice } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import './explain.css'
import { Decision } from './Decision.tsx'
import { ExplainForm } from './ExplainForm.tsx'
import { OperationsCard } from './OperationsCard.tsx'
import { CallToExplain, Explain, ExplainNames } from './operations.generated.ts'

const route = getRouteApi('/explain')

/** How would a request be served now, and why? */
export function ExplainPage() {
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/explain' })
  const { call, keyId, dialect, model, previous, operation, id } = search
  // A body is content of clients: it is in no address, which histories and logs keep.
  const [body, setBody] = useState<string>()
  // Only proposals, for who comes to a field: names that they lack may be typed.
  const [isUsed, setIsUsed] = useState(false)
  const names = useAnswer(ExplainNames, {}, { isOn: isUsed })
  const known = names.data
  const former = useAnswer(CallToExplain, { id: call ?? '' }, { isOn: call !== undefined })
  const taken = call === undefined || former.isFormer ? undefined : former.data?.exchange
  const facts = taken?.ended ?? taken?.live
  // What the address says goes before what the call was.
  const asked = {
    keyId: keyId ?? facts?.keyId ?? undefined,
    dialect: dialect ?? facts?.dialect ?? undefined,
    model: model ?? facts?.model ?? undefined,
    operation: operation ?? facts?.operation ?? undefined,
    id,
    previous,
    body,
  }
  const isAsked = asked.keyId !== undefined && asked.dialect !== undefined
  const page = useAnswer(
    Explain,
    {
      input: {
        keyId: asked.keyId ?? '',
        dialect: asked.dialect ?? '',
        ...(asked.model && { model: asked.model }),
        ...(asked.operation && { operation: asked.operation }),
        ...(id && { id }),
        ...(previous && { previousResponseId: previous }),
        ...(body && { body }),
      },
    },
    { isOn: isAsked },
  )
  function take(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setBody(undefined)
    void navigate({ search: { call: textOf(new FormData(event.currentTarget), 'call') } })
  }
  const found = isAsked && !page.isFormer ? page.data?.explain : undefined
  return (
    <>
      <PageHead
        title="Explain"
        aside={<span className="secondary">A dry run: nothing is sent</span>}
      />
      <div className="explain" onFocus={() => setIsUsed(true)}>
        <Card title="Request">
          {call !== undefined && former.answer && !former.isFormer && !facts && (
            <Notice tone="warn">
              The details of {call} are no longer known: name its key, dialect and model.
            </Notice>
          )}
          <form className="explain-call" onSubmit={take}>
            <Field
              label="From a call"
              name="call"
              isMono
              required
              placeholder="req_"
              defaultValue={call}
              key={call}
            />
            <Button type="submit">Take</Button>
          </form>
          <ExplainForm
            key={JSON.stringify(asked)}
            asked={asked}
            keys={known?.keys?.edges.map(({ node }) => node.id) ?? []}
            models={known?.models.edges.map(({ node }) => node.name) ?? []}
            explainable={known?.explainable ?? []}
            onAsk={(search, body) => {
              setBody(body)
              void navigate({ search })
            }}
            onRefresh={page.refresh}
          />
        </Card>
        <div className="stack">
          {call !== undefined && <AnswerNotices page={former} names={{ exchange: 'the call' }} />}
          {isAsked && <AnswerNotices page={page} names={{ explain: 'the route' }} />}
          {isAsked && (page.isLoading || page.isFormer) && (
            <Card>
              <Bars lines={6} />
            </Card>
          )}
          {found && <Decision found={found} />}
          {!isAsked && (
            <Card>
              <Empty title="Which request?">
                Name a key, a dialect and a model, or paste a request. The answer is by the same
                code as a call.
              </Empty>
            </Card>
          )}
          {!isAsked && <OperationsCard page={names} asked={asked} />}
        </div>
      </div>
    </>
  )
}
