import { ofModel, perSecond, quantile, tokensPerSecond } from './expressions.ts'
import { lines } from './panels.ts'

const model = 'gen_ai_request_model'

/** Tokens, the work of accounts and costs. */
export const tokenRow = {
  title: 'Tokens',
  panels: [
    lines({
      title: 'Tokens by kind',
      description:
        'Tokens each second, as accounts report them. Tokens of caches and of reasoning are part of input and output.',
      unit: 'suffix: tok/s',
      queries: [
        {
          expr: perSecond('gen_ai_token_type', 'gen_ai_client_token_usage_sum', ofModel),
          legend: '{{gen_ai_token_type}}',
        },
      ],
      width: 8,
    }),
    ...(['input', 'output'] as const).map((kind) =>
      lines({
        title: `${kind === 'input' ? 'Input' : 'Output'} tokens by model`,
        description: 'The ten models with the most tokens each second.',
        unit: 'suffix: tok/s',
        queries: [{ expr: `topk(10, ${tokensPerSecond(model, kind)})`, legend: `{{${model}}}` }],
        isStacked: true,
        width: 8,
      }),
    ),
    lines({
      title: 'Work of accounts, P95',
      description:
        'From the first attempt of a call to the end of the last one, by provider. The duration of calls has the time of the gateway besides.',
      unit: 's',
      queries: [
        {
          expr: quantile(
            0.95,
            'gen_ai_provider_name',
            'gen_ai_client_operation_duration_seconds',
            ofModel,
          ),
          legend: '{{gen_ai_provider_name}}',
        },
      ],
      width: 8,
    }),
    lines({
      title: 'Costs by model',
      description:
        'USD for an hour at the present pace, of the ten dearest models: the tokens that accounts report, by the prices of the configuration.',
      unit: 'currencyUSD',
      queries: [
        {
          expr: `topk(10, 3600 * ${perSecond(`gen_ai_provider_name, ${model}`, 'dragoman_cost_usd_total', ofModel)})`,
          legend: `{{${model}}} ({{gen_ai_provider_name}})`,
        },
      ],
      isStacked: true,
      width: 8,
    }),
    lines({
      title: 'Units',
      description:
        'Searches, images, seconds of video and audio, and characters of speech each second, which are counted beside tokens or in their place.',
      unit: 'ops',
      queries: [{ expr: perSecond('unit', 'dragoman_units_total', ofModel), legend: '{{unit}}' }],
      width: 8,
    }),
    lines({
      title: 'Attempts without a known cost',
      description:
        'Attempts each second that are no part of the costs, by the reason: no price of the model, no rate of a class of tokens, no factor of the service tier, no usage. All 0 without prices.',
      unit: 'ops',
      queries: [
        {
          expr: perSecond(
            'status',
            'dragoman_cost_lookups_total',
            'status!~"priced|free|estimated"',
          ),
          legend: '{{status}}',
        },
      ],
      isStacked: true,
      width: 8,
    }),
  ],
}
