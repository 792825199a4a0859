import { dailyRows } from '../../daily-rows.ts'
import { describeVideoReplies } from './video-replies.ts'

describeVideoReplies(dailyRows)
