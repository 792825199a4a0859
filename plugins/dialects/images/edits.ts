import type { Call } from '../../../src/contract/call.ts'
import { jsonOrEvents } from '../../../src/contract/dialect-info.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import { removeField, insertModel } from '../../../src/body/edits.ts'
import { resolveModel } from '../../../src/kit/models.ts'
import type { Outbound } from '../../../src/contract/outbound.ts'
import { enterCall } from '../../../src/exchange/record.ts'
import { planImageAttempt, imageRequestOf } from './plan.ts'
import { checkEdit } from './check-values.ts'
import { checkImages } from './check-images.ts'
import { countInputImages, editReplyField, imageCall, omittedFields } from './call.ts'
import { isPlainForm, rewriteForm } from './form-body.ts'
import { imagesOfForm } from './form-images.ts'
import { isPlainJson, rewriteJson } from './json-body.ts'
import { imagesOfJson } from './json-images.ts'
import type { ChosenModel } from './models.ts'
import type { ImageDependencies } from './parts.ts'
import type { CheckedImage, InputImages } from './input-images.ts'
import { editSchema } from './schema.ts'
import { imageValuesOf } from './values.ts'

const path = '/v1/images/edits'

/** A PNG of one pixel, with an alpha channel. */
const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Defines `POST /v1/images/edits`, which accepts a form or JSON. */
export function editImages(parts: ImageDependencies) {
  const { files, models } = parts

  async function prepare(exchange: Routed & { call: EditCall }): Promise<Outbound> {
    const { body, call, caller, candidate } = exchange
    const { inputs, chosen: model } = call
    const { upstreamModel } = candidate
    const omitted = omittedFields(model, models.isLegacy(upstreamModel))
    const edited = () =>
      imageRequestOf(exchange, path, [
        ...(call.modelAt ? [] : [insertModel(body, upstreamModel)]),
        ...omitted.flatMap((name) => removeField(body, name)),
      ])
    const options = { model: upstreamModel, omitted, files, caller }
    if (body.form) {
      if (isPlainForm(inputs)) return edited()
      const { type, body: rewritten } = rewriteForm({ ...options, form: body.form, inputs })
      return withBody(imageRequestOf(exchange, path), type, rewritten)
    }
    if (isPlainJson(body.json, inputs)) return edited()
    const rewritten = await rewriteJson(body.json, inputs, { ...options, exchange })
    return withBody(imageRequestOf(exchange, path), 'application/json', rewritten)
  }

  return defineOperation<EditCall>({
    id: 'images.edit',
    method: 'POST',
    paths: [path],
    auth: 'key',
    body: 'form',
    capability: 'edit-image',
    summary: 'Edit images, streamed with `stream: true`',
    schema: editSchema,
    replies: jsonOrEvents,
    async understand(exchange, body) {
      const values = imageValuesOf(body)
      const chosen = models.choose(exchange, values, countInputImages(body))
      const call = imageCall(body, values, chosen)
      // The access log must have the call even if an image is rejected.
      enterCall(exchange, call)
      checkEdit(values, chosen)
      // Rejects unknown and forbidden models before any upload is opened.
      resolveModel(exchange, call)
      const inputs = body.form
        ? await imagesOfForm(body.form, files, exchange.caller)
        : await imagesOfJson(body.json, files, exchange.caller)
      return { ...call, chosen, inputs: await checkImages(inputs, chosen) }
    },
    least: { body: { prompt: 'Hello', images: [{ image_url: dot }] } },
    forward: {
      billed: 'reply',
      async plan(exchange, services) {
        const { chosen } = exchange.call
        const values = imageValuesOf(exchange.body)
        return planImageAttempt(exchange, await prepare(exchange), {
          ...parts,
          services,
          values,
          kind: chosen.kind,
          replyField: editReplyField(values, chosen),
          events: 'image_edit',
        })
      },
    },
  })
}

/** A call with its validated input, so that it is validated once for all attempts. */
interface EditCall extends Call {
  readonly chosen: ChosenModel
  readonly inputs: InputImages<CheckedImage>
}

function withBody(outbound: Outbound, type: string, body: Outbound['body']): Outbound {
  return { ...outbound, headers: { ...outbound.headers, 'content-type': type }, body }
}
