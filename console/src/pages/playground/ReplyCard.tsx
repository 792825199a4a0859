import { useState } from 'react'

import { Bars } from '../../ui/Bars.tsx'
import { Card } from '../../ui/Card.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { State, type StateLook } from '../../ui/State.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { MadeAudio, MadeImage, MadeVideo } from './made.tsx'
import type { Reply } from './run-call.ts'

/** What the client gets: the text, or the events as they came. */
export function ReplyCard({
  reply,
  secret,
}: {
  readonly reply: Reply
  /** The key that a finished video is fetched with. */
  readonly secret: string | undefined
}) {
  const [shown, setShown] = useState<'text' | 'raw'>('text')
  const { state, text, raw, problem, images = [], job, audio } = reply
  return (
    <Card
      title={
        <span className="row">
          Reply <State look={lookOf(reply)} />
        </span>
      }
      aside={
        <Switch
          label="What is shown"
          value={shown}
          options={[
            { value: 'text', name: 'Text' },
            { value: 'raw', name: 'As it came' },
          ]}
          onChange={setShown}
        />
      }
    >
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      {state === 'waits' && <Bars lines={2} />}
      {shown === 'text' ? (
        <div className="playground-text" aria-live="polite">
          {text}
          {images.map((image, index) => (
            <MadeImage key={image.slice(-40)} base64={image} label={`Image ${index + 1}`} />
          ))}
          {audio && <MadeAudio audio={audio} />}
          {job && <MadeVideo job={job} secret={secret} />}
        </div>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A region that scrolls can be reached by keys.
        <pre className="json" tabIndex={0} role="region" aria-label="The reply as it came">
          {raw.join('\n\n')}
        </pre>
      )}
    </Card>
  )
}

function lookOf({ state, status }: Reply): StateLook {
  if (state === 'waits') return { word: 'Waits', shape: 'quarter', tone: 'none' }
  if (state === 'left') return { word: 'Stopped', shape: 'arrow', tone: 'none' }
  if (state === 'broken') return { word: 'Broke off', shape: 'broken', tone: 'bad' }
  const word = String(status)
  if (state === 'replies') return { word: `${word} so far`, shape: 'quarter', tone: 'none' }
  if (status !== undefined && status >= 400)
    return { word, shape: status < 500 ? 'triangle' : 'cross', tone: status < 500 ? 'warn' : 'bad' }
  return { word, shape: 'check', tone: 'ok' }
}
