import type { ServerResponse } from 'node:http'

import { chatCodec } from '../../plugins/dialects/chat/codec/index.ts'
import type { AssistantPart, UserPart } from '../../src/generate/content.ts'
import type { FeatureSupport, RequestFields } from '../../src/generate/unsupported.ts'
import type { GenerateRequest, Turn } from '../../src/generate/request.ts'
import type { InlineRemote } from '../../src/contract/services.ts'
import { createInlineRemote } from '../../src/remote/inline.ts'
import type { RemoteOptions } from '../../src/remote/options.ts'
import { certificate, type MediaHost, startMediaHost } from './media-host.ts'
import { resolving } from './names.ts'

/** `https://media.example`, and somebody who inlines what is on it. */
export interface Gallery extends Omit<MediaHost, 'url'> {
  readonly inline: InlineRemote
  url(path: string): string
  /** The paths asked for. */
  asked(): (string | undefined)[]
}

type Answer = (response: ServerResponse, path: string) => void

export async function startGallery(answer: Answer, options: RemoteOptions = {}): Promise<Gallery> {
  const host = await startMediaHost((response, { url = '' }) => answer(response, url), {
    secure: true,
  })
  const { lookup } = resolving(['127.0.0.1'])
  return {
    ...host,
    inline: createInlineRemote({ allow: [host.address], lookup, ca: certificate, ...options }),
    url: (path) => `https://media.example:${host.port}${path}`,
    asked: () => host.requests.map(({ url }) => url),
  }
}

/** An account that takes everything. */
export const takesUrls: FeatureSupport = {
  supports: [...chatCodec.supports, 'audio_url', 'file_url', 'tool_result_media'],
}

/** An account that takes no URLs, as its dialect says it. */
export const takesNoUrls: FeatureSupport = {
  supports: takesUrls.supports.filter((feature) => !feature.endsWith('_url')),
  lacks: {
    audio_url: { treatment: 'native', reason: 'sounds have to be sent along' },
    image_url: { treatment: 'native', reason: 'pictures have to be sent along' },
    file_url: { treatment: 'native', reason: 'files have to be sent along' },
  },
}

export const imageAt = (url: string) => ({ type: 'image', source: { kind: 'url', url } }) as const

export const fileAt = (url: string, mediaType?: string) =>
  ({
    type: 'file',
    source: { kind: 'url', url },
    ...(mediaType !== undefined && { mediaType }),
  }) as const

export function requestOf(turns: readonly Turn[], fields: RequestFields = {}): GenerateRequest {
  return { stream: false, turns, tools: [], sampling: {}, fields, extras: [] }
}

/** A request of one user with one message. */
export function asking(content: readonly UserPart[], fields: RequestFields = {}): GenerateRequest {
  return requestOf([{ role: 'user', content }], fields)
}

/** The content of the first turn that has some. */
export function contentOf({ turns }: GenerateRequest): readonly (UserPart | AssistantPart)[] {
  return turns.flatMap((turn) => (turn.role === 'tool' ? [] : [...turn.content]))
}
