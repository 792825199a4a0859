import { notOffered } from '../../../src/kit/not-offered.ts'

/** Endpoints of newer OpenAI SDKs that the gateway does not support. */
export const videosNotOffered = [
  notOffered('videos.edits', 'POST', '/v1/videos/edits'),
  notOffered('videos.extensions', 'POST', '/v1/videos/extensions'),
  notOffered('videos.characters.create', 'POST', '/v1/videos/characters'),
  notOffered('videos.characters.get', 'GET', '/v1/videos/characters/{id}'),
]
