import { heavyRows } from '../../daily-rows.ts'
import { describeVideoReplies } from './video-replies.ts'

describeVideoReplies(heavyRows)
