"""Matches of kernel agents on a GPU: fused, or in steps if an agent has parallel parts."""

from undercut.play.agent import KernelAgent
from undercut.play.gpu.fused import play_whole
from undercut.play.gpu.stepped import play_in_steps
from undercut.play.gpu.target import load_cuda
from undercut.play.job import Job

STEPPED_PART = 1 << 20  # matches whose results and traces are in GPU memory at once


def play_on_gpu(job: Job[KernelAgent]) -> None:
    """Play the matches of a job."""
    if not any(agent.parts for agent in job.agents):
        play_whole(job)
        return
    cuda = load_cuda()
    for start in range(0, len(job.results), STEPPED_PART):
        part = slice(start, start + STEPPED_PART)
        results, traces = cuda.to_device(job.results[part]), cuda.to_device(job.traces[part])
        play_in_steps(job._replace(first=job.first + start), results, traces)
        results.copy_to_host(job.results[part])
        if job.traces.size:
            traces.copy_to_host(job.traces[part])
