import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

import { Button } from '../../ui/Button.tsx'
import { saveFile } from '../../ui/save.ts'
import { Meter } from '../../ui/Bars.tsx'
import type { VideoJob } from './dialects.ts'
import { hasEnded, videoContent } from './run-call.ts'

/** An image of a reply. It is drawn: the policy of the page loads images from its own address only. */
export function MadeImage({ base64, label }: { readonly base64: string; readonly label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    let isLeft = false
    void draw(base64).catch(() => setProblem('The browser cannot show this image.'))
    async function draw(text: string) {
      const image = await createImageBitmap(blobOf(text))
      const target = canvas.current
      if (isLeft || !target) return
      target.width = image.width
      target.height = image.height
      target.getContext('2d')?.drawImage(image, 0, 0)
    }
    return () => void (isLeft = true)
  }, [base64])
  return (
    <div className="playground-made">
      {problem === undefined ? (
        <canvas ref={canvas} role="img" aria-label={label} />
      ) : (
        <p className="muted">{problem}</p>
      )}
      <div className="row">
        <Button isSmall onClick={() => saveFile(label.toLowerCase(), blobOf(base64))}>
          Save
        </Button>
      </div>
    </div>
  )
}

/** A video that is being made, or is made. */
export function MadeVideo({
  job,
  secret,
}: {
  readonly job: VideoJob
  readonly secret: string | undefined
}) {
  const { id, status, progress } = job
  const [problem, setProblem] = useState<string>()
  async function save(key: string) {
    setProblem(undefined)
    try {
      saveFile(`${id}.mp4`, await videoContent(id, key))
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  const isMade = status === 'completed'
  return (
    <div className="playground-made">
      <p>
        <Link to="/jobs" search={{ id }} className="mono link wrap-anywhere">
          {id}
        </Link>{' '}
        {status.replaceAll('_', ' ')}{' '}
        {progress !== undefined && !hasEnded(job) && (
          <>
            <Meter value={progress} most={100} tone="accent" /> {progress} %
          </>
        )}
      </p>
      {isMade && (
        <div className="row">
          <Button
            isSmall
            whyNot={secret === undefined ? 'The key is gone.' : undefined}
            onClick={() => secret !== undefined && void save(secret)}
          >
            Save the video
          </Button>
        </div>
      )}
      {problem !== undefined && <p role="alert">{problem}</p>}
    </div>
  )
}

function blobOf(base64: string): Blob {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  return new Blob([bytes])
}
