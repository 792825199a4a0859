import type { RequestBody } from '../../../src/body.ts'
import { defineOperation } from '../../../src/dialect.ts'
import type { Routed } from '../../../src/exchange.ts'
import { modelInserted } from '../../../src/model-inserted.ts'
import type { Outbound } from '../../../src/plugin.ts'
import { approachImages, outboundOf, ownForward } from './ask.ts'
import { checkEdit } from './check-values.ts'
import { checkPictures } from './check-pictures.ts'
import { isPlain, rewriteForm } from './form-body.ts'
import { picturesOfForm } from './form-pictures.ts'
import { isPlainJson, rewriteJson } from './json-body.ts'
import { picturesOfJson } from './json-pictures.ts'
import type { ImageParts } from './parts.ts'
import type { CheckedPicture, Pictures } from './pictures.ts'
import { editSchema } from './schema.ts'
import { imageCall } from './understood.ts'
import { valuesOf } from './values.ts'

const path = '/v1/images/edits'

/** `POST /v1/images/edits`, as a form or as JSON. */
export function editImages({ files, chooseModel, now }: ImageParts) {
  /** What was looked at once serves every account that is asked. */
  const checked = new WeakMap<RequestBody, Pictures<CheckedPicture>>()

  async function prepare(exchange: Routed): Promise<Outbound> {
    const { body, call, caller, candidate } = exchange
    const pictures = checked.get(body)
    if (!pictures) throw new Error('The images have not been looked at.')
    const told = { model: candidate.upstreamModel, files, caller }
    if (body.form) {
      if (isPlain(pictures)) {
        const edits = call.modelAt ? [] : [modelInserted(body, told.model)]
        return outboundOf(exchange, path, edits)
      }
      const { type, body: rewritten } = rewriteForm({ ...told, form: body.form, pictures })
      return replaced(outboundOf(exchange, path), type, rewritten)
    }
    if (isPlainJson(body.json, pictures)) {
      return outboundOf(exchange, path, call.modelAt ? [] : [modelInserted(body, told.model)])
    }
    const rewritten = await rewriteJson(body.json, pictures, told)
    return replaced(outboundOf(exchange, path), 'application/json', rewritten)
  }

  return defineOperation({
    id: 'images.edit',
    method: 'POST',
    paths: [path],
    auth: 'key',
    body: 'form',
    capability: 'edit-image',
    summary: 'Edit images, streamed with `stream: true`',
    schema: editSchema,
    async understand(exchange, body) {
      const values = valuesOf(body)
      const model = chooseModel(exchange, values)
      checkEdit(values, model)
      const given = body.form
        ? await picturesOfForm(body.form, files, exchange.caller)
        : await picturesOfJson(body.json, files, exchange.caller)
      checked.set(body, await checkPictures(given, model))
      return imageCall(body, values, model)
    },
    forward: ownForward(async (exchange) => {
      const values = valuesOf(exchange.body)
      return approachImages(exchange, await prepare(exchange), {
        values,
        events: 'image_edit',
        now,
      })
    }),
  })
}

function replaced(outbound: Outbound, type: string, body: Outbound['body']): Outbound {
  return { ...outbound, headers: { ...outbound.headers, 'content-type': type }, body }
}
