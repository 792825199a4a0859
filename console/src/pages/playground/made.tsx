import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

import { Button } from '../../ui/Button.tsx'
import { saveFile } from '../../ui/save.ts'
import { Meter } from '../../ui/Bars.tsx'
import { bytes } from '../../format/numbers.ts'
import type { VideoJob } from './media-dialects.ts'
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

/** Spoken audio. It is decoded: the policy of the page loads no media from what the page has made. */
export function MadeAudio({ audio }: { readonly audio: Blob }) {
  const [player, setPlayer] = useState<AudioContext>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => () => void player?.close(), [player])
  async function play() {
    setProblem(undefined)
    const context = new AudioContext()
    try {
      const source = context.createBufferSource()
      source.buffer = await context.decodeAudioData(await audio.arrayBuffer())
      source.connect(context.destination)
      source.addEventListener('ended', () => setPlayer(undefined))
      source.start()
      setPlayer(context)
    } catch {
      await context.close()
      setProblem('The browser cannot play this audio.')
    }
  }
  return (
    <div className="playground-made">
      <p>
        {bytes(audio.size)} of <span className="mono">{audio.type || 'an unknown type'}</span>
      </p>
      <div className="row">
        {player ? (
          <Button isSmall onClick={() => setPlayer(undefined)}>
            Stop
          </Button>
        ) : (
          <Button isSmall onClick={() => void play()}>
            Play
          </Button>
        )}
        <Button isSmall onClick={() => saveFile(fileOf(audio.type), audio)}>
          Save
        </Button>
      </div>
      {problem !== undefined && <p role="alert">{problem}</p>}
    </div>
  )
}

const endings: Readonly<Record<string, string>> = { mpeg: 'mp3', 'x-wav': 'wav', wave: 'wav' }

/** A name with the ending of a media type: `speech.mp3` of `audio/mpeg`. */
function fileOf(type: string): string {
  const [, kind = ''] = /^audio\/([\w-]+)/.exec(type) ?? []
  return `speech.${(endings[kind] ?? kind) || 'bin'}`
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
