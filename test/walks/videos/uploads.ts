import { pngFile } from '../../sandbox/pictures.ts'
import { post } from './stage.ts'

interface Asks {
  ask(path: string, init?: RequestInit): Promise<Response>
}

let uploaded = 0

/** Uploads a file, a picture unless a test says otherwise, and returns its path. */
export async function upload({ ask }: Asks, file: Blob = pngFile([720, 1280])): Promise<string> {
  const asked = await ask('/v1/files/upload_url', post({ path: `cat-${uploaded++}` }))
  const { upload_url, method, path } = (await asked.json()) as Record<string, string>
  const body = await file.arrayBuffer()
  const put = await fetch(upload_url ?? '', { ...(method && { method }), body })
  if (put.status !== 201) throw new Error(`The upload answered ${put.status}.`)
  return path ?? ''
}
