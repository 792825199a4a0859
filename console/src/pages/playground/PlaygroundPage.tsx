import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

import { useAnswer } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { CallDetail } from '../../calls/CallDetail.tsx'
import { SetUp } from '../../clients/SetUp.tsx'
import { Card } from '../../ui/Card.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { AnswerNotices, Notice } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import type { Prompt } from './dialect.ts'
import { playgroundDialects } from './dialects.ts'
import { type PlaygroundKey, KeyCard } from './KeyCard.tsx'
import { Playground } from './operations.generated.ts'
import './playground.css'
import { PromptForm } from './PromptForm.tsx'
import { ReplyCard } from './ReplyCard.tsx'
import { type Reply, noReply, runCall } from './run-call.ts'

const route = getRouteApi('/playground')

const names = { models: 'the models', teams: 'the teams', explainable: 'the dialects' }

/** What does a model answer, by which route, and what does it cost? */
export function PlaygroundPage() {
  const { dialect: chosen = 'responses' } = route.useSearch()
  const navigate = useNavigate({ from: '/playground' })
  // To call is no act: the gateway asks for this role.
  const mayCall = useMay('operator')
  const page = useAnswer(Playground, {})
  const [key, setKey] = useState<PlaygroundKey>()
  const [reply, setReply] = useState<Reply>()
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  // The plugins of the gateway decide which dialects it has; until the answer comes, all are offered.
  const known = page.data && new Set(page.data.explainable.map((one) => one.dialect))
  const dialects = playgroundDialects.filter(({ id }) => known?.has(id) ?? true)
  const dialect = dialects.find(({ id }) => id === chosen) ?? dialects[0] ?? playgroundDialects[0]!
  const whyNotNow = key ? undefined : 'It needs a key: paste one above, or make one.'
  const whyNot = mayCall ? whyNotNow : 'The role operator may do this.'
  const isRunning = reply?.state === 'waits' || reply?.state === 'replies'
  const models = page.data?.models.edges.map(({ node }) => node.name) ?? []
  const teams = page.data?.teams.edges.map(({ node }) => node.id) ?? []

  function call(prompt: Prompt) {
    if (!key) return
    running.current?.abort()
    running.current = new AbortController()
    setReply(noReply)
    void runCall(dialect, prompt, key.secret, running.current.signal, setReply)
  }

  return (
    <>
      <PageHead
        title="Playground"
        aside={<span className="secondary">Calls here are real, and are counted as others</span>}
      />
      <AnswerNotices page={page} names={names} />
      {!mayCall && (
        <Notice>
          The role operator may call models here with the secret of a key, the role admin also with
          a key made for it.
        </Notice>
      )}
      <div className="playground">
        <div className="stack">
          {mayCall && <KeyCard apiKey={key} onKey={setKey} models={models} teams={teams} />}
          <Card title="Call">
            <PromptForm
              dialect={dialect}
              dialects={dialects}
              models={models}
              whyNot={whyNot}
              isRunning={isRunning}
              onDialect={(id) => void navigate({ search: { dialect: id } })}
              onCall={call}
              onStop={() => running.current?.abort()}
            />
          </Card>
        </div>
        <div className="stack">
          {reply ? (
            <ReplyCard reply={reply} secret={key?.secret} />
          ) : (
            <Card title="Reply">
              <Empty title="No call yet">
                The reply comes here as a client gets it, with its route, its time and its cost.
              </Empty>
            </Card>
          )}
          {reply?.id !== undefined && (
            <Card title="Route, time and cost">
              <CallDetail key={reply.id} id={reply.id} />
            </Card>
          )}
        </div>
      </div>
      <Card title="Set up a client">
        <SetUp />
      </Card>
    </>
  )
}
