"""Training from the first epoch to the last: what BFGS, back-propagation and the genetic search have in common."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from pytmva_bnn._typing import FloatArray, IndexArray
from pytmva_bnn.dataset import Sampling, Which
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training.backprop import BPState, bp_epoch, late_epoch
from pytmva_bnn.methods.mlp.training.bfgs import BFGSState, bfgs_epoch
from pytmva_bnn.methods.mlp.training.checkpoint import Checkpoint, Seeds, fingerprint_of
from pytmva_bnn.methods.mlp.training.convergence import Convergence
from pytmva_bnn.methods.mlp.training.cost import Cost, check_desired, monitored_estimator
from pytmva_bnn.methods.mlp.training.curvature import Surroundings
from pytmva_bnn.methods.mlp.training.error_bars import ErrorBars, at_minimum
from pytmva_bnn.methods.mlp.training.evidence import evidence
from pytmva_bnn.methods.mlp.training.gaussian import GaussianPosterior, gaussian_posterior, updated_hyperparameters
from pytmva_bnn.methods.mlp.training.genetic import genetic_search
from pytmva_bnn.methods.mlp.training.regulators import RegulatorGroups, updated_regulators
from pytmva_bnn.methods.mlp.training.samples import Sample
from pytmva_bnn.methods.mlp.training.sampling import resume, with_new_sample
from pytmva_bnn.methods.mlp.training.settings import Estimator, TrainingMethod, TrainingSettings
from pytmva_bnn.methods.mlp.training.softmax import centred
from pytmva_bnn.methods.mlp.training.state import History, Monitored, RunState, StoppedBy, TrainingResult
from pytmva_bnn.methods.mlp.training.verdict import (
    ConvergenceVerdict,
    improvement,
    n_products,
    newton,
    problems,
    regulator_change,
    with_curvature,
)
from pytmva_bnn.methods.progress import Progress, ignore_progress
from pytmva_bnn.methods.training_errors import TrainingError
from pytmva_bnn.random import TRandom3

log = logging.getLogger("pytmva_bnn.MLP")

#: training estimator below which the events count as described perfectly
_PERFECT = 1e-3
#: gets the number of a test epoch (None: the end), the network, and the training and test events of the moment
Monitor: TypeAlias = Callable[[int | None, Network, Sample, Sample], None]
NOTHING_TRAINED = "interrupted before the first epoch: nothing is written"


def train(
    network: Network,
    training: Sample,
    test: Sample,
    settings: TrainingSettings,
    *,
    progress: Progress | None = None,
    monitor: Monitor | None = None,
    checkpoint: Checkpoint | None = None,
    random: TRandom3 | None = None,
    sampling: Sampling | None = None,
    title: str = "MLP",
) -> TrainingResult:
    """Train a network, which has its initial weights, and return what came of it.

    ``progress`` is called after each epoch, ``monitor`` after each test epoch and at the end.  With a ``checkpoint``
    the state is kept in a file and a training that was cut short goes on from it.  ``random`` is the generator that
    drew the initial weights, which back-propagation goes on with; by default it is the one of RandomSeed after as many
    numbers as there are weights.  ``sampling`` is for methods that share a data set, and so its sampling.  ``title`` is
    the method's name in messages.

    Ctrl-C ends the training with the weights after the last whole epoch; ``stopped_by`` of the result says so.  Before
    the end of the first one there is nothing to keep, and the KeyboardInterrupt goes on.

    >>> from pytmva_bnn.methods.mlp.training import Sample, TrainingSettings, initial_network
    >>> inputs = np.float32([[-1, -1], [-1, 1], [1, -1], [1, 1]])
    >>> xor = Sample.of(inputs, [0, 1, 1, 0])
    >>> start = initial_network([2, 3, 1], TRandom3(3))
    >>> result = train(start, xor, xor, TrainingSettings(n_cycles=20))
    >>> from pytmva_bnn.methods.mlp.network import forward
    >>> forward(result.network, inputs).round(1).ravel().tolist()
    [0.0, 1.0, 1.0, 0.0]
    """
    training.check("training", network.n_inputs, network.n_outputs)
    test.check("test", network.n_inputs, network.n_outputs)
    check_desired(training, settings.estimator)
    check_desired(test, settings.estimator)
    if settings.estimator is Estimator.CE and network.output != "sigmoid":
        raise InputError(f"cross entropy needs output neurons of type sigmoid, not {network.output}")
    if settings.estimator is Estimator.SOFTMAX:
        if network.output != "linear" or network.n_outputs < 2:
            raise InputError(
                f"a softmax needs at least two linear output neurons, not {network.n_outputs} of type {network.output}"
            )
        if network.neuron_input == "sum":
            network = centred(network)
    if not training.n_events or not training.float32_sum_of_weights > 0.0:
        raise InputError(
            f"the {training.n_events} training events have the sum of weights {training.float32_sum_of_weights:g}: it "
            "must be greater than 0; check the cuts and the event weights"
        )
    training = as_likelihood(training, settings)
    run = _Run(network, training, test, settings, progress or ignore_progress, title, monitor)
    if settings.method is TrainingMethod.GA:
        if checkpoint is not None:
            log.warning("TrainingMethod=GA keeps no checkpoints")
        state = run.genetic()
    else:
        state = run.epochs(checkpoint, random, sampling)
    try:
        return run.result(state)
    except KeyboardInterrupt:
        log.warning("Interrupted: the weights are kept, without regulators, evidence or inverse Hessian")
        return run.result(replace(state, stopped_by="interrupt"), weights_only=True)


def as_likelihood(training: Sample, settings: TrainingSettings) -> Sample:
    """Return the training events as they count in the likelihood that is maximised.

    In the posterior form the weights add up to the effective number of events ``(sum w)^2 / sum w^2``: the likelihood
    then weighs as much against the prior, and its Hessian is as large, as the statistics of the events allow.
    """
    if not settings.is_posterior:
        return training
    used = training.without_negative_weights() if settings.ignore_negative_weights else training
    return training.scaled(used.effective_scale)


class _Run:
    """A training in progress: what does not change from epoch to epoch."""

    def __init__(
        self,
        network: Network,
        training: Sample,
        test: Sample,
        settings: TrainingSettings,
        progress: Progress,
        title: str,
        monitor: Monitor | None,
    ) -> None:
        self.monitor = monitor
        self.network = network
        self.training = training
        self.test = test
        self.settings = settings
        self.progress = progress
        self.title = title
        self.groups = RegulatorGroups.of(network)
        self._selected: dict[Which, tuple[IndexArray | None, Sample]] = {}
        self._used: tuple[Sample, Sample] | None = None

    # ---- events --------------------------------------------------------------------------------------------

    def training_sample(self, state: RunState) -> Sample:
        """Return the training events of the moment, those of negative weight included."""
        return self._sample(Which.TRAINING, self.training, state.training_events)

    def test_sample(self, state: RunState) -> Sample:
        """Return the test events of the moment."""
        return self._sample(Which.TESTING, self.test, state.test_events)

    def used(self, sample: Sample) -> Sample:
        """Return the events that train: with IgnoreNegWeightsInTraining those of negative weight are left out."""
        if not self.settings.ignore_negative_weights:
            return sample
        if self._used is None or self._used[0] is not sample:
            self._used = (sample, sample.without_negative_weights())
        return self._used[1]

    def _sample(self, which: Which, whole: Sample, events: IndexArray | None) -> Sample:
        if events is None:
            return whole
        if which not in self._selected or self._selected[which][0] is not events:
            self._selected[which] = (events, whole.select(events))
        return self._selected[which][1]

    # ---- epochs --------------------------------------------------------------------------------------------

    def epochs(self, checkpoint: Checkpoint | None, random: TRandom3 | None, sampling: Sampling | None) -> RunState:
        """Do all epochs, from the first or from the checkpoint on, and return the state at the end."""
        fingerprint = fingerprint_of(self.network, self.training, self.test, self.settings) if checkpoint else {}
        kept = checkpoint.load(fingerprint) if checkpoint else None
        random, sampling, seeds = self._generators(kept[1] if kept else None, random, sampling)
        if kept:
            state = kept[0]
            log.info("Training continues from epoch %d of the checkpoint", state.epoch)
            resume(state, random, sampling)
        else:
            state = self._start()
        schedule = self.settings.sampling_schedule(seeds.sampling)
        try:
            while state.stopped_by is None and state.epoch < self.settings.n_cycles:
                sampled = with_new_sample(state, schedule, sampling, self.settings.n_cycles)
                # the one place where the state changes: an interrupt finds it as after a whole epoch
                state = self._after_epoch(sampled, random)
                self._report(state)
                if checkpoint and state.n_epochs % max(checkpoint.every, 1) == 0:
                    checkpoint.save(state, seeds, fingerprint)
        except KeyboardInterrupt:
            if not state.n_epochs:
                raise KeyboardInterrupt(NOTHING_TRAINED) from None
            log.warning("Interrupted: the training ends after %d epochs", state.n_epochs)
            if checkpoint:
                checkpoint.save(state, seeds, fingerprint)
            return replace(state, stopped_by="interrupt")
        if checkpoint:
            checkpoint.save(state, seeds, fingerprint)
        return state

    def _start(self) -> RunState:
        weights = self.network.flat_weights()
        step = (
            BFGSState.start(weights, self.groups.n_groups, self.network.n_outputs)
            if self.settings.method is TrainingMethod.BFGS
            else BPState.start(weights, self.settings, self.groups.n_groups)
        )
        return RunState(step, Convergence(self.settings.convergence_improve, self.settings.convergence_tests))

    def _generators(
        self, seeds: Seeds | None, random: TRandom3 | None, sampling: Sampling | None
    ) -> tuple[TRandom3, Sampling, Seeds]:
        if random is None or seeds is not None:
            random = TRandom3(seeds.shuffling if seeds else self.settings.random_seed)
            random.skip(self.network.n_weights)
        if sampling is None:
            sampling = Sampling(self.training.n_events, self.test.n_events)
        self.settings.sampling_schedule(seeds.sampling if seeds else random.seed).begin_training(sampling)
        drawn_by = sampling.random.seed if sampling.random is not None else random.seed
        return random, sampling, Seeds(random.seed, drawn_by)

    def _after_epoch(self, state: RunState, random: TRandom3) -> RunState:
        """Return the state after one more epoch."""
        epoch = state.epoch
        events = self.training_sample(state)
        if not events.n_events:
            raise TrainingError("the sample has no events", epoch=epoch + 1, advice="raise the option Sampling")
        step: BFGSState | BPState
        if isinstance(state.step, BFGSState):
            cost = Cost(
                self.network,
                self.used(events),
                self.settings.estimator,
                self.groups.of_weights(state.step.regulators),
                self._counted(state.step.output_weights),
            )

            def update(
                weights: FloatArray, regulators: FloatArray, output_weights: FloatArray
            ) -> tuple[FloatArray, FloatArray]:
                return self._updated(events, weights, regulators, output_weights)

            step = bfgs_epoch(epoch, state.step, cost, self.settings, update)
        else:
            step = bp_epoch(epoch, state.step, self.network, events, self.settings, random)
        if not np.isfinite(step.weights).all():
            raise TrainingError(
                "weights have become infinite or NaN",
                epoch=epoch + 1,
                advice=f"use a smaller LearningRate than {self.settings.learning_rate:g}, normalise the inputs "
                "(VarTransform=N), use NeuronInputType=sum, or train with BFGS",
            )
        done = replace(state, step=step, epoch=epoch + 1, n_epochs=state.n_epochs + 1)
        if self.settings.is_test_epoch(epoch):
            done = self._after_test(epoch, done)
        if step.at_floor:
            reached = self._monitored(epoch + 1, done).training
            log.warning(
                "Epoch %d: the error cannot be lowered any more; the training ends here with the estimator %.4g (%s)",
                epoch + 1,
                reached,
                "the events are described perfectly: check whether a variable gives the answer away"
                if reached < _PERFECT
                else "it is at a minimum, or stuck at a constant response: then try another RandomSeed",
            )
            done = replace(done, stopped_by="floor")
        if done.stopped_by is None and done.epoch >= self.settings.n_cycles:
            done = replace(done, stopped_by="cycles")
        return done

    def _after_test(self, epoch: int, state: RunState) -> RunState:
        """Return the state with the estimators of a test epoch, and where training goes from here."""
        point = self._monitored(epoch + 1, state)
        self._tell_monitor(epoch, state)
        if not np.isfinite(point.training):
            raise TrainingError(
                f"the training estimator is {point.training}",
                epoch=epoch + 1,
                advice="use a smaller LearningRate, normalise the inputs (VarTransform=N) or try another RandomSeed",
            )
        convergence = state.convergence.after(point.test)
        state = replace(state, history=(*state.history, point), convergence=convergence)
        if not convergence.reached:
            return state
        # TMVA: single precision
        sampling_ends = int(np.float32(self.settings.sampling_epoch) * np.float32(self.settings.n_cycles))
        late = late_epoch(self.settings.n_cycles)
        if epoch < sampling_ends < self.settings.n_cycles:
            return replace(state, epoch=sampling_ends, convergence=convergence.restarted())
        if self.settings.method is TrainingMethod.BP and state.epoch < late:
            return replace(state, epoch=late, convergence=convergence.restarted())
        return replace(state, stopped_by="convergence")

    def _report(self, state: RunState) -> None:
        if state.history:
            self.progress(state.epoch, state.history[-1].training, state.history[-1].test)
        else:
            self.progress(state.epoch, None, None)

    def _tell_monitor(self, epoch: int | None, state: RunState) -> None:
        if self.monitor:
            network = self.network.with_flat_weights(state.step.weights)
            self.monitor(epoch, network, self.used(self.training_sample(state)), self.test_sample(state))

    def _monitored(self, epoch: int, state: RunState) -> Monitored:
        network = self.network.with_flat_weights(state.step.weights)
        training, test = (
            monitored_estimator(
                network,
                sample,
                self.settings.estimator,
                weight_range=self.settings.weight_range,
                multiclass=self.settings.is_multiclass,
            )
            for sample in (self.used(self.training_sample(state)), self.test_sample(state))
        )
        return Monitored(epoch, training, test)

    def _counted(self, output_weights: FloatArray) -> FloatArray | None:
        """Return how much each output counts in the cost, None if all count the same, as in TMVA."""
        has_noise = self.settings.is_posterior and self.settings.estimator is not Estimator.SOFTMAX
        return output_weights if has_noise and output_weights.size > 1 else None

    def _updated(
        self, events: Sample, weights: FloatArray, regulators: FloatArray, output_weights: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the regulators, and how much each output counts, that the evidence procedure finds."""
        network, used = self.network.with_flat_weights(weights), self.used(events)
        if self.settings.is_posterior or self.settings.estimator is Estimator.SOFTMAX:
            updated, output_weights = updated_hyperparameters(
                network, regulators, output_weights, used, self.settings, self.title
            )
        else:
            updated = updated_regulators(network, regulators, events, used, self.settings, self.title)
        if not np.isfinite(updated).all():
            raise TrainingError(
                "a regulator is not a finite number",
                advice="normalise the inputs (VarTransform=N), or remove inputs that are constant",
            )
        log.debug("regulators: %s", ", ".join(f"{alpha:.4g}" for alpha in updated))
        return updated, output_weights

    # ---- genetic search ------------------------------------------------------------------------------------

    def genetic(self) -> RunState:
        """Search, and return the state with the best weights; Ctrl-C ends it with the best so far."""
        state = replace(self._start(), stopped_by="cycles")

        def after_generation(number: int, best: FloatArray) -> None:
            nonlocal state
            reached = replace(state, step=replace(state.step, weights=best), epoch=number, n_epochs=number)
            if self.settings.is_test_epoch(number - 1):
                reached = replace(reached, history=(*reached.history, self._monitored(number, reached)))
            state = reached
            self._report(state)

        try:
            best = genetic_search(self.network, self.used(self.training), self.settings, after_generation)
        except KeyboardInterrupt:
            if not state.n_epochs:
                raise KeyboardInterrupt(NOTHING_TRAINED) from None
            log.warning("Interrupted: the genetic search ends after %d generations", state.n_epochs)
            return replace(state, stopped_by="interrupt")
        return replace(state, step=replace(state.step, weights=best))

    # ---- the end -------------------------------------------------------------------------------------------

    def result(self, state: RunState, *, weights_only: bool = False) -> TrainingResult:
        """Return the result: final estimators and, if asked for, regulators, inverse Hessians and evidence.

        ``weights_only`` leaves out the latter, which take as long as several epochs.
        """
        # TMVA: if sampling never ended, what follows sees the last sample only
        events = self.training_sample(state)
        minima = None
        if self.settings.is_refined and not weights_only and state.n_epochs:
            state, minima = at_minimum(state, self.network, self.used(events), self.settings, self.title)
        network = self.network.with_flat_weights(state.step.weights)
        final = self._monitored(state.n_epochs, state)
        self._tell_monitor(None, state)
        stopped_by: StoppedBy = state.stopped_by or "cycles"
        found = TrainingResult(
            network, stopped_by, state.n_epochs, History.of(state.history), final.training, final.test
        )
        if weights_only:
            return found
        if stopped_by == "interrupt" and (self.settings.use_regulator or self.settings.calculate_errors):
            log.warning("Computing the inverse Hessian of the current weights; Ctrl-C again skips it")
        regulators, outputs = np.zeros(self.groups.n_groups), np.ones(network.n_outputs)
        if self.settings.use_regulator:
            if isinstance(state.step, BFGSState):
                outputs = state.step.output_weights
            regulators, outputs = self._updated(events, state.step.weights, state.step.regulators, outputs)
            found = replace(found, regulators=regulators)
        posterior = None
        if self.settings.use_regulator or (self.settings.hessian != "TMVA" and self.settings.calculate_errors):
            used = self.used(events)
            posterior = gaussian_posterior(
                network,
                used,
                self.groups.of_weights(regulators),
                self.settings,
                self._counted(outputs),
                title=self.title,
            )
        if self.settings.use_regulator:
            found = replace(found, evidence=evidence(network, regulators, used, self.settings, posterior=posterior))
        if self.settings.use_regulator or self.settings.calculate_errors:
            of_weights = self.groups.of_weights(regulators)
            bars = ErrorBars(
                network, events, self.used(events), of_weights, posterior, minima, self.settings, self.title
            )
            found = replace(found, inverse_hessians=bars.matrices(), error_factor=bars.factor)
        return replace(found, convergence=self._verdict(state, found, posterior, self._counted(outputs)))

    def _verdict(
        self,
        state: RunState,
        found: TrainingResult,
        posterior: GaussianPosterior | None,
        outputs: FloatArray | None,
    ) -> ConvergenceVerdict | None:
        """Return how near the minimum the training has come, and log it."""
        if not found.n_epochs:
            return None
        is_bfgs = isinstance(state.step, BFGSState)
        history = found.history
        verdict = ConvergenceVerdict(
            found.n_epochs,
            last_improvement=improvement(
                history.epochs.astype(np.float64), history.training, found.n_epochs, found.training_estimator
            ),
        )
        # only the derivative of the sum is a gradient, and TMVA's back-propagation has a cost of its own for classes
        is_softmax = self.settings.estimator is Estimator.SOFTMAX
        if self.network.neuron_input == "sum" and (is_bfgs or is_softmax or not self.settings.is_multiclass):
            verdict = self._with_derivatives(verdict, state, found, posterior, outputs)
        if found.evidence is not None and found.regulators is not None:
            verdict = replace(
                verdict,
                n_updates=state.step.n_updates if isinstance(state.step, BFGSState) else None,
                n_effective=found.evidence.n_effective,
                regulator_change=regulator_change(
                    state.step.regulators,
                    found.regulators,
                    found.evidence.effective,
                    found.evidence.group_sizes.astype(np.float64),
                ),
            )
        verdict = replace(verdict, problems=tuple(problems(verdict, is_bfgs=is_bfgs)))
        log.info("%s: convergence: %s", self.title, verdict)
        if verdict.problems and found.stopped_by != "interrupt":  # who interrupts knows that it is not at its end
            log.warning("%s has not converged. %s", self.title, ". ".join(verdict.problems))
        return verdict

    def _with_derivatives(
        self,
        verdict: ConvergenceVerdict,
        state: RunState,
        found: TrainingResult,
        posterior: GaussianPosterior | None,
        outputs: FloatArray | None,
    ) -> ConvergenceVerdict:
        used, estimator = self.used(self.training_sample(state)), self.settings.estimator
        weights = state.step.weights
        regulators = np.zeros(self.groups.n_groups) if found.regulators is None else found.regulators
        cost = Cost(self.network, used, estimator, self.groups.of_weights(regulators), outputs)
        start = Cost(self.network, used, estimator, np.zeros(weights.size))
        gradient = cost.error_and_gradient(weights)[1]
        at_start = float(np.linalg.norm(start.error_and_gradient(self.network.flat_weights())[1]))
        if at_start > 0.0:
            verdict = replace(verdict, gradient_ratio=float(np.linalg.norm(gradient)) / at_start)
        if posterior is not None:
            covariance, variance = posterior.noise_variance * posterior.inverse, posterior.noise_variance
        elif found.inverse_hessian is not None and self.network.n_outputs == 1:
            variance = 1.0 if estimator is Estimator.CE else found.training_estimator
            covariance = variance * found.inverse_hessian
        else:
            return verdict
        if not variance > 0.0:
            return verdict
        distance, step = newton(used.n_events / variance * gradient, covariance)
        verdict = replace(verdict, distance=distance, newton_step=step)
        around = Surroundings.of(cost, weights, covariance, variance)
        return with_curvature(verdict, around, n_products(weights.size, found.n_epochs))
